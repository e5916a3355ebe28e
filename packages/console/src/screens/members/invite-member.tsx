import type { Role } from '@tollgate/api/identity';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Invitation } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { RoleField } from './role-field.js';

export function InviteMember({ onClose, onUrl }: { onClose: () => void; onUrl: (url: string | undefined) => void }) {
  const projectId = useProjectId();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const invite = useAction({
    act: () =>
      call<{ invitation: Invitation }>('POST', `/projects/${projectId}/invitations`, { body: { email, role } }),
    changes: [['invitations', projectId]],
    done: 'Invitation created',
    onDone: ({ invitation }) => {
      onClose();
      onUrl(invitation.url);
    },
  });
  return (
    <FormDialog
      title="Invite a member"
      action="Invite"
      isBusy={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Email"
        type="email"
        required
        value={email}
        fault={readFieldFaults(invite.error).email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleField value={role} onPick={setRole} />
    </FormDialog>
  );
}
