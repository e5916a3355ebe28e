import type { ChangeEvent } from 'react';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { rename, type TierDraft } from './tier-draft.js';

export interface TierFieldsProps {
  draft: TierDraft;
  isNew: boolean;
  faults: Readonly<Record<string, string>>;
  onChange: (changes: Partial<TierDraft>) => void;
}

const MODES = [
  ['subscription', 'Subscription with a spend limit'],
  ['paygo', 'Pay as you go from a wallet'],
] as const;

const CHARGED_BY = [
  ['card', 'Card, through Stripe'],
  ['elsewhere', 'You, outside of Tollgate'],
] as const;

const INTERVALS = [
  ['month', 'a month'],
  ['year', 'a year'],
] as const;

export function TierFields({ draft, isNew, faults, onChange }: TierFieldsProps) {
  const typed = (name: keyof TierDraft) => ({
    value: draft[name] as string,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.value }),
  });
  const checked = (name: 'allowsOverage' | 'isDefault') => ({
    checked: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.checked }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Name"
        required
        fault={faults.display_name}
        {...typed('name')}
        onChange={({ target: { value: name } }) => onChange(isNew ? rename(draft, name) : { name })}
      />
      <TextField
        label="Code"
        required
        disabled={!isNew}
        placeholder="pro"
        fault={faults.tier_code}
        hint="Your code names the tier by it."
        {...typed('code')}
      />
      <SelectField
        label="Billing"
        value={draft.mode}
        options={MODES}
        fault={faults.billing_mode}
        onPick={(mode) => onChange({ mode: mode as TierDraft['mode'] })}
      />
      <TextField
        label="Requests a minute"
        inputMode="numeric"
        pattern="[0-9]*"
        placeholder="no limit of the tier"
        fault={faults.rate_limit_per_minute}
        {...typed('ratePerMinute')}
      />
      {draft.mode === 'subscription' && (
        <SubscriptionFields draft={draft} faults={faults} typed={typed} onChange={onChange} />
      )}
      <div className="flex flex-col gap-3 sm:col-span-2">
        <CheckField label="Default tier" hint="Applies after a subscription has ended." {...checked('isDefault')} />
        {draft.mode === 'subscription' && (
          <CheckField
            label="Overage"
            hint="Requests beyond the limit are served and charged."
            {...checked('allowsOverage')}
          />
        )}
      </div>
    </div>
  );
}

interface SubscriptionFieldsProps extends Pick<TierFieldsProps, 'draft' | 'faults' | 'onChange'> {
  typed: (name: keyof TierDraft) => { value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void };
}

function SubscriptionFields({ draft, faults, typed, onChange }: SubscriptionFieldsProps) {
  const amount = { inputMode: 'decimal', pattern: '\\d{1,9}([.,]\\d{1,2})?' } as const;
  return (
    <>
      <TextField
        label="Spend limit"
        placeholder="unlimited"
        fault={faults.spend_limit_cents}
        hint="In dollars, for each period."
        {...amount}
        {...typed('spendLimit')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField label="Price" placeholder="free" fault={faults.price_amount_cents} {...amount} {...typed('price')} />
        <SelectField
          label="Interval"
          value={draft.interval}
          options={INTERVALS}
          onPick={(interval) => onChange({ interval: interval as TierDraft['interval'] })}
        />
      </div>
      {draft.price !== '' && (
        <SelectField
          label="Charged by"
          value={draft.isCharged ? 'card' : 'elsewhere'}
          options={CHARGED_BY}
          fault={faults.billing_provider}
          onPick={(by) => onChange({ isCharged: by === 'card' })}
        />
      )}
      {draft.price !== '' && draft.isCharged && (
        <TextField
          label="Stripe price"
          placeholder="made when you save"
          fault={faults.billing_price_ref}
          hint="Only if you have one already: it must have this amount and interval."
          {...typed('priceRef')}
        />
      )}
    </>
  );
}
