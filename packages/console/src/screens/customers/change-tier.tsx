import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { tiersQuery } from '../../api/queries.js';
import type { Tier } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { Loaded } from '../../parts/states.js';
import { describePrice } from '../tiers/describe-tier.js';
import type { CustomerDialogProps } from './customer-dialog.js';

/** Sets a subscription that is not billed by the payment processor. */
export function ChangeTier({ envelope: { customer, subscription }, onClose }: CustomerDialogProps) {
  const { id, project_id: projectId } = customer;
  const tiers = useQuery(tiersQuery(projectId));
  const [code, setCode] = useState(subscription?.tier_code);
  const change = useAction({
    act: () => call('PUT', `/projects/${projectId}/customers/${id}/subscription`, { body: { tier_code: code } }),
    changes: [
      ['customer', projectId, id],
      ['customers', projectId],
    ],
    done: 'Tier changed',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Change the tier"
      action="Change"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Loaded query={tiers}>
        {({ tiers: all }) => (
          <SelectField
            label="Tier"
            required
            value={code ?? ''}
            options={[['', 'Choose a tier'], ...all.map(toOption)]}
            onPick={setCode}
            hint="Nothing is charged here: the change takes effect at once, and you bill a paid tier elsewhere. To let Stripe bill it, send the customer a checkout."
          />
        )}
      </Loaded>
    </FormDialog>
  );
}

function toOption(tier: Tier): [string, string] {
  return [tier.tier_code, `${tier.display_name} – ${describePrice(tier)}`];
}
