import type { Role } from '@tollgate/api/identity';
import { useState } from 'react';
import { call } from '../../api/client.js';
import type { Member } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { RoleField } from './role-field.js';

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const projectId = useProjectId();
  const [role, setRole] = useState<Role>(member.role);
  const change = useAction({
    act: () => call('PATCH', `/projects/${projectId}/members/${member.user_id}`, { body: { role } }),
    changes: [['members', projectId]],
    done: 'Role changed',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Role of ${member.email}`}
      action="Change"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RoleField value={role} onPick={setRole} />
    </FormDialog>
  );
}
