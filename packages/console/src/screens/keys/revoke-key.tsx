import { call } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Confirm } from '../../parts/confirm.js';
import { useProjectId } from '../../shell/use-list-search.js';

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const projectId = useProjectId();
  const revoke = useAction({
    act: () => call('DELETE', `/projects/${projectId}/api-keys/${apiKey.id}`),
    changes: [['keys', projectId]],
    done: 'Key revoked',
    onDone: onClose,
  });
  return (
    <Confirm
      title="Revoke the key"
      action="Revoke"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Requests with {apiKey.label} ({apiKey.redacted_key}) are rejected within five seconds. This cannot be undone.
    </Confirm>
  );
}
