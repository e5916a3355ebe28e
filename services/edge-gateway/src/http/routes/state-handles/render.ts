import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { StateHandle } from '@tollgate/contracts/agents/v1/state_pb.js';

export function stateHandleJson(handle: StateHandle | undefined) {
  const { id, projectId, customerId, createdAt, expiresAt } = handle!;
  return {
    id,
    project_id: projectId,
    customer_id: customerId || undefined,
    created_at: createdAt && timestampDate(createdAt).toISOString(),
    expires_at: expiresAt && timestampDate(expiresAt).toISOString(),
  };
}
