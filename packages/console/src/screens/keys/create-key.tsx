import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { ApiKey } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { readCents } from '../../format/money.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

const KINDS = [
  ['secret', 'Secret: for servers, may do everything in the project'],
  ['publishable', 'Publishable: for apps, may only sign customers in'],
] as const;

const LIFETIMES = [
  ['', 'Never expires'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

const DAY_MS = 86_400_000;

export function CreateKey({ onClose, onIssued }: { onClose: () => void; onIssued: (key: ApiKey) => void }) {
  const projectId = useProjectId();
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState('secret');
  const [days, setDays] = useState('');
  const [limit, setLimit] = useState('');
  const limitCents = readCents(limit);
  const create = useAction({
    act: () =>
      call<{ api_key: ApiKey }>('POST', `/projects/${projectId}/api-keys`, {
        body: {
          label,
          kind,
          ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
          ...(kind === 'secret' && limitCents !== undefined && { spend_limit_cents: limitCents }),
        },
      }),
    changes: [['keys', projectId]],
    onDone: ({ api_key }) => {
      onClose();
      onIssued(api_key);
    },
  });
  const faults = readFieldFaults(create.error);
  const isLimitWrong = limit !== '' && limitCents === undefined;
  return (
    <FormDialog
      title="New API key"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => !isLimitWrong && create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Label"
        required
        value={label}
        fault={faults.label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <SelectField label="Kind" value={kind} options={KINDS} onPick={setKind} />
      <SelectField label="Lifetime" value={days} options={LIFETIMES} onPick={setDays} />
      {kind === 'secret' && (
        <TextField
          label="Spend limit"
          inputMode="decimal"
          placeholder="none"
          value={limit}
          hint="Of the key's whole life. It cannot be raised later."
          fault={isLimitWrong ? 'An amount such as 50.00' : faults.spend_limit_cents}
          onChange={(event) => setLimit(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
