import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { CustomerEnvelope } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

export function CreateCustomer({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [externalId, setExternalId] = useState('');
  const [email, setEmail] = useState('');
  const body = { external_id: externalId, email };
  const headers = useIdempotencyKey(JSON.stringify(body));
  const create = useAction({
    act: () => call<CustomerEnvelope>('POST', `/projects/${projectId}/customers`, { body, headers }),
    changes: [['customers', projectId]],
    done: 'Customer created',
    onDone: ({ customer }) =>
      void navigate({ to: '/p/$projectId/customers/$customerId', params: { projectId, customerId: customer.id } }),
  });
  const faults = readFieldFaults(create.error);
  return (
    <FormDialog
      title="New customer"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="External id"
        hint="Your own id of this user. It cannot be used twice in a project."
        required
        value={externalId}
        fault={faults.external_id}
        onChange={(event) => setExternalId(event.target.value)}
      />
      <TextField
        label="Email"
        type="email"
        required
        value={email}
        fault={faults.email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </FormDialog>
  );
}
