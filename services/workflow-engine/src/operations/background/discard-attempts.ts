import { fromBinary } from '@bufbuild/protobuf';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { discardAnswer } from '../../clients/discard-answer.js';
import type { Context } from '../../context.js';
import { type BackgroundDiscard, deleteDiscard } from '../../store/background/background-discards.js';

/** The parts of the context that a discard uses. */
export interface DiscardParts {
  pool: Context['pool'];
  clients: Pick<Context['clients'], 'holds' | 'storedResponses'>;
}

const TIMEOUT_MS = 10_000;

/**
 * Removes what attempts have stored, and forbids those that still run to store an answer later. Of a superseded response the customer pays
 * for none. Idempotent; the discard stays stored until this has succeeded.
 *
 * @throws AppError when a service is unavailable
 */
export async function discardAttempts({ pool, clients }: DiscardParts, discard: BackgroundDiscard): Promise<void> {
  const { id, principal, holdIds, isSuperseded } = discard;
  const call = startCall({ requestId: id, principal: fromBinary(PrincipalSchema, principal), timeoutMs: TIMEOUT_MS });
  if (isSuperseded) await clients.holds.supersedeHolds({ holdIds: [...holdIds] }, call);
  for (const holdId of holdIds) await discardAnswer(clients, holdId, call);
  await deleteDiscard(pool, discard);
}
