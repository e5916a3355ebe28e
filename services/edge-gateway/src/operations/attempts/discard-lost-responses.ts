import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Call, startCall } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { deleteLostResponse, insertLostResponse, takeLostResponses } from '../../store/requests/lost-responses.js';

type Parts = Pick<Context, 'clients' | 'logger' | 'pool'>;

const PER_PASS = 20;
const TIMEOUT_MS = 20_000;
/** Far longer than a response runs, and than an idempotency key lives. */
const REPEATED_FOR_MS = 48 * 3_600_000;

/**
 * Discards a background response that may have been queued, although its client gets an error. It is stored first, so that it is
 * discarded even if no engine can be reached now, or this process is lost.
 */
export async function discardLostResponse(parts: Parts, holdId: string, call: Call): Promise<void> {
  const { pool, logger } = parts;
  const detached = call.detached(TIMEOUT_MS);
  const principal = encodeMessage(PrincipalSchema, call.requirePrincipal());
  try {
    await insertLostResponse(pool, { holdId, principal });
  } catch (err) {
    logger.error({ err, hold_id: holdId }, 'lost response not recorded; it is discarded once');
  }
  try {
    await discard(parts, holdId, detached);
  } catch (err) {
    logger.warn({ err, hold_id: holdId }, 'lost response not discarded; trying again');
  }
}

/** Repeats discards. Returns whether there may be more that are due. */
export async function discardLostResponses(parts: Parts): Promise<boolean> {
  const due = await takeLostResponses(parts.pool, PER_PASS);
  for (const { holdId, principal: bytes, tries, ageMs } of due) {
    const principal = decodeMessage(PrincipalSchema, bytes);
    try {
      await discard(parts, holdId, startCall({ requestId: holdId, principal, timeoutMs: TIMEOUT_MS }));
    } catch (err) {
      const isOver = ageMs > REPEATED_FOR_MS;
      parts.logger[isOver ? 'error' : 'warn']({ err, hold_id: holdId, tries }, 'lost response not discarded');
      if (isOver) await deleteLostResponse(parts.pool, holdId);
    }
  }
  return due.length === PER_PASS;
}

async function discard(parts: Parts, holdId: string, call: Call): Promise<void> {
  await discardAttempt(parts, holdId, call, { background: true });
  await deleteLostResponse(parts.pool, holdId);
}

/** Undoes what an attempt has stored or queued, when a repeat with its idempotency key takes its place. */
export async function discardAttempt(
  { clients }: Pick<Context, 'clients'>,
  attemptId: string,
  call: Call,
  body: { background?: boolean | null },
): Promise<void> {
  const { storedResponses, backgroundResponses } = clients;
  await storedResponses.discardAttempt({ holdId: attemptId }, call);
  if (body.background) await backgroundResponses.discardBackgroundResponse({ holdId: attemptId }, call);
}
