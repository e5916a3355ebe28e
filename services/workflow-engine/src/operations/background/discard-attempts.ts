import type { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { decodeMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import { type DiscardClients, discardAnswer } from '../../clients/discard-answer.js';
import { type BackgroundDiscard, deleteDiscard } from '../../store/background/background-discards.js';
import type { Pool } from '../../store/database.js';

/** The parts of the context that a discard uses. */
export interface DiscardParts {
  pool: Pool;
  clients: DiscardClients & { holds: Pick<Client<typeof HoldService>, 'supersedeHolds'> };
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
  const call = startCall({
    requestId: id,
    principal: decodeMessage(PrincipalSchema, principal),
    timeoutMs: TIMEOUT_MS,
  });
  if (isSuperseded) await clients.holds.supersedeHolds({ holdIds: [...holdIds] }, call);
  for (const holdId of holdIds) await discardAnswer(clients, holdId, call);
  await deleteDiscard(pool, discard);
}
