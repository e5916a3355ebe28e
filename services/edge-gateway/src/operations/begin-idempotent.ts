import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, toApiError } from '@tollgate/errors';
import type { Queryable } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { attemptOutcome, type BodyDigest } from '../domain/idempotency.js';
import {
  claimIdempotencyKey,
  type KeepAnswerInput,
  keepAnswer,
  renewClaim,
  returnClaim,
} from '../store/gen/idempotency-records.js';
import {
  forgetLostClaims,
  type IdempotencyKey,
  type IdempotencyRow,
  type KeptAnswer,
  readIdempotencyRecord,
  releaseIdempotencyKey,
  yieldClaim,
} from '../store/idempotency-records.js';

export const KEEP_MS = 24 * 3_600_000;
/** How long an answer that may hold a secret is kept. */
const SEALED_MS = 10 * 60_000;

/** Larger responses are not stored. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const POLL_MS = 50;
const POLL_MAX_MS = 1_000;
/** Lease of a claim, renewed while its request runs; a repeat waits this long after a crash. */
const LEASE = { leaseMs: 30_000, renewMs: 5_000 };
/** Bounds the attempts to supersede; only processes that crash while they take over a key add to them. */
const LOST_ATTEMPTS_MAX = 16;

/** One attempt of a key's request. */
export interface Attempt {
  /** UUID. */
  id: string;
  /** Returns whether the attempt has provably spent nothing and never will; called when it ends. */
  isUndispatched(): boolean;
  /** Whether its client has left; asked while the attempt waits for an earlier one. */
  isAbandoned(): boolean;
}

export interface IdempotencyDeps {
  pool: Queryable;
  /**
   * Ensures that an earlier attempt costs its customer nothing, whether it has ended, is running or has yet to start.
   */
  supersede(attemptId: string): Promise<void>;
  /** Encrypts the bodies of successful answers, which may hold a secret. They are kept for ten minutes only. */
  cipher?: AnswerCipher | undefined;
}

export interface AnswerCipher {
  seal(body: Uint8Array): Buffer;
  /** Returns undefined for a body that cannot be decrypted. */
  open(sealed: Uint8Array): Buffer | undefined;
}

export type IdempotentStart =
  | { kind: 'replay'; answer: KeptAnswer }
  | {
      kind: 'run';
      /**
       * Ends the attempt: stores a final response for repeats, else lets a repeat run. Call it before responding.
       * Returns false when a repeat has taken over the key, so that this attempt's response is void.
       *
       * @param answer absent when the attempt failed or may be retried at once
       */
      end(answer: KeptAnswer | undefined): Promise<boolean>;
    };

/**
 * Decides whether a request with an `Idempotency-Key` runs or gets the first one's answer. A repeat of a request that
 * is still running waits for it, as long as its own deadline allows and its client stays. A repeat of a request whose
 * outcome is unknown runs once every earlier attempt is superseded, so that the customer pays for one attempt.
 *
 * @throws AppError CONFLICT when the key was used for another body, or the first request is still running
 * @throws AppError SERVICE_UNAVAILABLE when an earlier attempt could not be superseded
 */
export async function beginIdempotent(
  deps: IdempotencyDeps,
  key: IdempotencyKey,
  digest: BodyDigest,
  attempt: Attempt,
  call: Call,
  lease = LEASE,
): Promise<IdempotentStart> {
  const taken = await claimOrReplay(deps, key, digest, attempt, call, lease.leaseMs);
  if (taken.kind === 'replay') return taken;
  const { pool } = deps;
  // A failed renewal is retried by the next tick.
  const renewing = setInterval(
    () => void renewClaim(pool, { ...key, claimId: attempt.id, leaseMs: lease.leaseMs }).catch(() => {}),
    lease.renewMs,
  ).unref();
  try {
    if (taken.lostIds.length > 0) await supersedeLost(deps, key, attempt.id, taken.lostIds);
  } catch (error) {
    clearInterval(renewing);
    throw error;
  }
  return {
    kind: 'run',
    end(answer) {
      clearInterval(renewing);
      return endAttempt(deps, key, attempt, answer);
    },
  };
}

async function claimOrReplay(
  { pool, cipher }: IdempotencyDeps,
  key: IdempotencyKey,
  digest: BodyDigest,
  attempt: Attempt,
  call: Call,
  leaseMs: number,
): Promise<{ kind: 'replay'; answer: KeptAnswer } | { kind: 'claimed'; lostIds: string[] }> {
  const claim = {
    ...key,
    claimId: attempt.id,
    bodyHash: digest.hash,
    leaseMs,
    keepMs: KEEP_MS,
    lostMax: LOST_ATTEMPTS_MAX,
  };
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 1.2, POLL_MAX_MS)) {
    const taken = await claimIdempotencyKey(pool, claim);
    if (taken) return { kind: 'claimed', lostIds: taken.lostIds };
    const record = await readIdempotencyRecord(pool, key);
    if (record && !digest.matches(record.body_hash)) {
      throw new AppError('CONFLICT', 'this Idempotency-Key was used with another request body');
    }
    // Keeps the hash in the form in which it was stored.
    if (record) claim.bodyHash = record.body_hash;
    if (record && record.status !== null) {
      const { status, headers } = record;
      return { kind: 'replay', answer: { status, headers: headers ?? {}, body: readKeptBody(record, cipher) } };
    }
    if (call.isAborted || call.remainingMs() < POLL_MS * 2) {
      throw stillRunning('the first request with this Idempotency-Key is still running');
    }
    await sleep(pauseMs);
    if (attempt.isAbandoned()) throw new AppError('RELAY_TIMEOUT', 'the client disconnected');
  }
}

/** @throws AppError CONFLICT for a sealed body whose time is over */
function readKeptBody({ body, is_sealed: isSealed }: IdempotencyRow, cipher: AnswerCipher | undefined): Buffer {
  if (!isSealed) return body ?? Buffer.alloc(0);
  const opened = body === null ? undefined : cipher?.open(body);
  if (!opened) throw new AppError('CONFLICT', 'the answer may hold a secret and is kept for ten minutes only');
  return opened;
}

/**
 * Supersedes the earlier attempts before this one starts. The record lists them until all are superseded, so that a
 * crash here loses none; an error restores the record.
 */
async function supersedeLost(
  { pool, supersede }: IdempotencyDeps,
  key: IdempotencyKey,
  claimId: string,
  lostIds: readonly string[],
): Promise<void> {
  try {
    for (const lostId of lostIds) await supersede(lostId);
  } catch (cause) {
    await returnClaim(pool, { ...key, claimId, earlierId: lostIds.at(-1)!, lostIds: lostIds.slice(0, -1) });
    throw new AppError('SERVICE_UNAVAILABLE', 'an earlier attempt of this request could not be superseded', { cause });
  }
  if (!(await forgetLostClaims(pool, key, claimId))) throw takenOver();
}

async function endAttempt(
  { pool, cipher }: IdempotencyDeps,
  key: IdempotencyKey,
  attempt: Attempt,
  answer: KeptAnswer | undefined,
): Promise<boolean> {
  switch (attemptOutcome(answer?.status, attempt.isUndispatched())) {
    case 'settled': {
      const kept = answer as KeptAnswer;
      return (await keepAnswer(pool, { ...key, claimId: attempt.id, ...toStored(kept, cipher) })) === 1;
    }
    case 'undispatched':
      await releaseIdempotencyKey(pool, key, attempt.id).catch(lapse);
      return true;
    case 'unknown':
      await yieldClaim(pool, key, attempt.id).catch(lapse);
      return true;
  }
}

function toStored(
  kept: KeptAnswer,
  cipher: AnswerCipher | undefined,
): Omit<KeepAnswerInput, 'claimId' | keyof IdempotencyKey> {
  const isTooLarge = kept.body.length > BODY_BYTES_MAX;
  const { status, headers, body } = isTooLarge ? tooLargeAnswer(kept) : kept;
  const seal = isTooLarge || status >= 300 ? undefined : cipher;
  return {
    status,
    headers: JSON.stringify(headers),
    body: seal ? seal.seal(body) : body,
    sealedMs: seal ? SEALED_MS : null,
  };
}

/** A claim that cannot be released expires; the client gets the attempt's own error. */
function lapse(): void {}

/** Ends an attempt whose key was taken over while its process was paused. */
export function takenOver(): AppError {
  return stillRunning('a repeat of this request has taken its place');
}

function stillRunning(message: string): AppError {
  return new AppError('CONFLICT', message, { retryable: true, retryAfterSeconds: 1 });
}

/** The effect must not be repeated, although its response was not stored. */
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
