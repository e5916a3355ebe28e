import { call } from '../../api/client.js';
import type { Member } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';
import { useProjectId } from '../../shell/use-list-search.js';

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const projectId = useProjectId();
  const remove = useAction({
    act: () => call('DELETE', `/projects/${projectId}/members/${member.user_id}`),
    changes: [['members', projectId]],
    done: 'Member removed',
    onDone: onClose,
  });
  return (
    <Confirm
      title="Remove the member"
      action="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {member.email} loses access within five seconds. Keys that this person has seen keep working: rotate them.
    </Confirm>
  );
}
