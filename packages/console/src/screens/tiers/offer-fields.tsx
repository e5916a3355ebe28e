import type { ChangeEvent } from 'react';
import { CheckField, SelectField, TextArea, TextField } from '../../parts/field.js';
import { proposeVisibility, type TierDraft } from './tier-draft.js';
import type { TierFieldsProps } from './tier-fields.js';

const VISIBILITIES = [
  ['portal', 'Every customer'],
  ['link', 'Customers who know the code'],
  ['private', 'Only you, for a customer'],
] as const;

/** How customers see a tier, and whether they can choose it. */
export function OfferFields({ draft, faults, onChange }: Pick<TierFieldsProps, 'draft' | 'faults' | 'onChange'>) {
  const typed = (name: 'sortOrder' | 'features' | 'group') => ({
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Who can choose it"
        value={proposeVisibility(draft)}
        options={VISIBILITIES}
        fault={faults.visibility}
        onPick={(value) => onChange({ visibility: value as TierDraft['visibility'] })}
      />
      <TextField
        label="Position"
        inputMode="numeric"
        pattern="-?[0-9]{1,6}"
        placeholder="0"
        fault={faults.sort_order}
        hint="Lists begin with the lowest."
        {...typed('sortOrder')}
      />
      <TextArea
        label="Features"
        rows={4}
        fault={faults.features}
        hint="One to a line, at most 20. Customers read them instead of the models."
        {...typed('features')}
      />
      <TextField
        label="Group"
        placeholder="pro"
        fault={faults.group}
        hint="A monthly and a yearly tier of one group are shown as one plan."
        {...typed('group')}
      />
      {draft.price !== '' && draft.isCharged && (
        <CheckField
          label="Promotion codes"
          hint="Payers may enter a code that you made in Stripe."
          checked={draft.allowsPromotionCodes}
          onChange={(event: ChangeEvent<HTMLInputElement>) => onChange({ allowsPromotionCodes: event.target.checked })}
        />
      )}
    </div>
  );
}
