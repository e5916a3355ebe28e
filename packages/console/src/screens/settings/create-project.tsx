import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Project } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';

export function CreateProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const headers = useIdempotencyKey(name);
  const create = useAction({
    act: () => call<{ project: Project }>('POST', '/projects', { body: { name }, headers }),
    changes: [['projects']],
    done: 'Project created',
    onDone: ({ project }) => {
      onClose();
      void navigate({ to: '/p/$projectId/settings', params: { projectId: project.id } });
    },
  });
  return (
    <FormDialog
      title="New project"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        value={name}
        hint="A project has its own keys, tiers and customers; the balance is the account's."
        fault={readFieldFaults(create.error).name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
