import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, toApiError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type pg from 'pg';
import { isKeptAnswer } from '../domain/idempotency.js';
import {
  claimIdempotencyKey,
  type IdempotencyKey,
  type KeptAnswer,
  keepAnswer,
  readIdempotencyRecord,
  releaseIdempotencyKey,
  renewClaim,
} from '../store/idempotency-records.js';

export const KEEP_MS = 24 * 3_600_000;

/** Beyond this an answer is not worth keeping twice. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const POLL_MS = 50;
const POLL_MAX_MS = 1_000;
/** A claim is renewed while its request runs, however long; a repeat waits this long for a process that died. */
const LEASE = { leaseMs: 30_000, renewMs: 5_000 };

export type IdempotentStart =
  | { kind: 'replay'; answer: KeptAnswer }
  | {
      kind: 'run';
      /** An earlier attempt that died without an answer: what it did is not known. */
      supersedes: string | undefined;
      /** Keeps the answer for repeats, or frees the key when such an answer is not kept. Call it before answering. */
      finish(answer: KeptAnswer): Promise<void>;
      /** The request came to nothing: a repeat starts anew. */
      abandon(): Promise<void>;
    };

/**
 * Decides whether a request with an `Idempotency-Key` runs or gets the first one's answer. A repeat of a request that
 * is still running waits for it, as long as its own deadline allows. `attemptId` is a UUID.
 *
 * @throws AppError CONFLICT when the key was used for another body, or the first request is still running
 */
export async function beginIdempotent(
  pool: pg.Pool,
  key: IdempotencyKey,
  bodyHash: Buffer,
  attemptId: string,
  call: Call,
  { leaseMs, renewMs } = LEASE,
): Promise<IdempotentStart> {
  const claim = { id: attemptId, bodyHash, leaseMs, keepMs: KEEP_MS };
  let pauseMs = POLL_MS;
  let taken = await claimIdempotencyKey(pool, key, claim);
  while (!taken) {
    const record = await readIdempotencyRecord(pool, key);
    if (record && !record.body_hash.equals(bodyHash)) {
      throw new AppError('CONFLICT', 'this Idempotency-Key was used with another request body');
    }
    if (record && record.status !== null) {
      return {
        kind: 'replay',
        answer: { status: record.status, headers: record.headers ?? {}, body: record.body ?? Buffer.alloc(0) },
      };
    }
    if (call.isAborted || call.remainingMs() < POLL_MS * 2) {
      throw new AppError('CONFLICT', 'the first request with this Idempotency-Key is still running', {
        retryable: true,
        retryAfterSeconds: 1,
      });
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.2, POLL_MAX_MS);
    taken = await claimIdempotencyKey(pool, key, claim);
  }
  // One that fails is made up for by the next.
  const renewing = setInterval(() => void renewClaim(pool, key, attemptId, leaseMs).catch(() => {}), renewMs).unref();
  return {
    kind: 'run',
    supersedes: taken.supersedes,
    async finish(answer) {
      clearInterval(renewing);
      if (!isKeptAnswer(answer.status)) return releaseIdempotencyKey(pool, key, attemptId);
      await keepAnswer(pool, key, attemptId, answer.body.length > BODY_BYTES_MAX ? tooLargeAnswer(answer) : answer);
    },
    async abandon() {
      clearInterval(renewing);
      await releaseIdempotencyKey(pool, key, attemptId);
    },
  };
}

/** The effect must not happen again, although its answer is gone. */
function tooLargeAnswer(answer: KeptAnswer): KeptAnswer {
  const error = new AppError(
    'CONFLICT',
    `the answer of ${answer.body.length} bytes was too large to be kept for a repeat`,
  );
  return {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(toApiError(error))),
  };
}
