import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.js';
import type { Agent } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';

export function DeleteAgent({ agent: { agent }, onClose }: { agent: Agent; onClose: () => void }) {
  const { slug, name, project_id: projectId } = agent;
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', `/projects/${projectId}/agents/${slug}`),
    changes: [['agents', projectId]],
    done: 'Agent deleted',
    onDone: () => void navigate({ to: '/p/$projectId/agents', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the agent"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Requests and workflows that name {name} ({slug}) fail from now on. Runs that have started keep their revision. The
      slug can be used again; a new agent starts without this one's revisions and memory.
    </Confirm>
  );
}
