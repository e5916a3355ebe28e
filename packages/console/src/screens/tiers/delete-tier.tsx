import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.js';
import type { Tier } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';

export function DeleteTier({ tier, onClose }: { tier: Tier; onClose: () => void }) {
  const { id, project_id: projectId } = tier;
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', `/projects/${projectId}/tiers/${id}`),
    changes: [['tiers', projectId]],
    done: 'Tier deleted',
    onDone: () => void navigate({ to: '/p/$projectId/tiers', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the tier"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      No customer can subscribe to {tier.display_name} any more. A tier with subscribers cannot be deleted.
    </Confirm>
  );
}
