import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';
import { useProjectId } from '../../shell/use-list-search.js';

export function LeaveProject({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = useAction({
    act: () => call('DELETE', `/projects/${projectId}/membership`),
    changes: [],
    done: 'You have left the project',
    onDone: () => {
      client.removeQueries({ queryKey: ['projects'] });
      void navigate({ to: '/' });
    },
  });
  return (
    <Confirm
      title="Leave the project"
      action="Leave"
      isBusy={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      You need a new invitation to rejoin. Users of the account that owns the project cannot leave it.
    </Confirm>
  );
}
