import type { IncomingHttpHeaders } from 'node:http';
import { AppError, asAppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { openAnswer, sealAnswer } from '../../auth/cipher.js';
import { type BodyDigest, idempotencyScope } from '../../domain/idempotency.js';
import { beginIdempotent, type IdempotentStart, takenOver } from '../../operations/begin-idempotent.js';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import { AnswerCopy, flatten } from '../answer/answer-copy.js';
import type { Exchange } from './exchange.js';
import type { RouteDoc } from './route-doc.js';

/** Deadline of the one call that supersedes a lost attempt; a batch has many holds. */
const SUPERSEDE_TIMEOUT_MS = 20_000;

/** @throws AppError INVALID_INPUT for a malformed header */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

/**
 * How an endpoint takes `Idempotency-Key`: it keeps its answers for a day, keeps them sealed for ten minutes because they may
 * hold a secret, or passes the key on. An endpoint without a caller, or whose body is not kept, takes none.
 */
type KeyUse = 'kept' | 'sealed' | 'forwarded' | 'refused';

export function chooseKeyUse(route: Pick<RouteDoc, KeyParts>): KeyUse {
  if (route.forwardsIdempotencyKey) return 'forwarded';
  if (route.idempotent === false || route.auth === 'none' || route.streamsFile) return 'refused';
  return route.idempotent ? 'kept' : 'sealed';
}

type KeyParts = 'auth' | 'forwardsIdempotencyKey' | 'idempotent' | 'streamsFile';

/**
 * Returns the key under which the exchange answers once. Requests other than POST have no second effect when they are
 * repeated, so that the header means nothing there.
 *
 * @throws AppError INVALID_INPUT for a key that the endpoint would have to ignore
 */
export function findOwnKey(
  route: Pick<RouteDoc, KeyParts | 'method'>,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (route.method !== 'POST' || headers['idempotency-key'] === undefined) return undefined;
  const use = chooseKeyUse(route);
  if (use === 'refused') throw new AppError('INVALID_INPUT', 'this endpoint takes no Idempotency-Key');
  return use === 'forwarded' ? undefined : readIdempotencyKey(headers);
}

/** Returns the only hold of an attempt whose route keeps funds under the attempt's own id. */
export function ownHold(attemptId: string): readonly string[] {
  return [attemptId];
}

export interface IdempotentRequest {
  key: string;
  /** Digest of the body, without the parts that do not belong to the comparison. */
  digest: BodyDigest;
  /** The handler's input; `holdIds` of the route depends on its body. */
  input: unknown;
}

/**
 * Runs a request under an `Idempotency-Key`: a repeat gets the first attempt's answer byte for byte, also as a stream.
 * An attempt continues when its client leaves, because the client is expected to repeat the request. `run` answers
 * through the exchange.
 */
export async function serveOnce(
  exchange: Exchange,
  request: IdempotentRequest,
  call: Call,
  run: () => Promise<void>,
): Promise<void> {
  const { reply } = exchange;
  const start = await startIdempotent(exchange, request, call);
  if (start.kind === 'replay') {
    const { status, headers, body } = start.answer;
    return reply.write(status, [...flatten(headers), 'Idempotent-Replayed', 'true'], body);
  }
  const copy = new AnswerCopy();
  reply.copy = copy;
  try {
    await run();
  } catch (error) {
    // Ends a broken stream before the answer is stored, so that its client does not wait for the database.
    if (reply.stream) reply.breakOff(asAppError(error));
    const isOurs = await start.end(reply.stream ? copy.answer() : keptRefusal(exchange, error));
    throw isOurs || reply.stream ? error : takenOver();
  }
  const answer = copy.answer();
  const isOurs = await start.end(answer);
  if (reply.stream || !answer) return;
  if (!isOurs) throw takenOver();
  reply.write(answer.status, flatten(answer.headers), answer.body);
}

async function startIdempotent(
  { ctx, ids, principal, req, res, matched, route }: Exchange,
  { key, digest, input }: IdempotentRequest,
  call: Call,
): Promise<IdempotentStart> {
  const place = { scope: idempotencyScope(principal!), path: `${req.method} ${matched.path}`, key };
  const attempt = {
    id: ids.holdId,
    isUndispatched: () => ids.isUndispatched === true,
    isAbandoned: () => res.destroyed,
  };
  const supersede = async (lostId: string): Promise<void> => {
    const holdIds = route.holdIds?.(lostId, (input as { body?: unknown }).body);
    const detached = call.detached(SUPERSEDE_TIMEOUT_MS);
    if (holdIds) await ctx.clients.holds.supersedeHolds({ holdIds: [...holdIds] }, detached);
    await route.discard?.(ctx, lostId, detached, input);
  };
  const { current, previous } = ctx.config.peppers;
  const cipher = {
    seal: (body: Uint8Array) => sealAnswer(current, body),
    open: (sealed: Uint8Array) => openAnswer(previous === undefined ? [current] : [current, previous], sealed),
  };
  const isSealed = chooseKeyUse(route) === 'sealed';
  return beginIdempotent({ pool: ctx.pool, supersede, ...(isSealed && { cipher }) }, place, digest, attempt, call);
}

/** Renders an error that every repeat of the request would get again, to store it. Returns undefined for others. */
function keptRefusal(exchange: Exchange, error: unknown): KeptAnswer | undefined {
  if (!isAppError(error) || error.retryable) return undefined;
  const { status, headers, body } = exchange.reply.renderError(error);
  return { status, headers, body: Buffer.from(body) };
}
