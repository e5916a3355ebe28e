import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type ByteBudget, yieldLoop } from '@tollgate/runtime';
import { hasInfinity, requestJsonBounds, scanJson } from '@tollgate/runtime/json-bounds';
import { type JsonThread, parseLarge } from '@tollgate/runtime/threads';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest body of each class of routes, in bytes. */
export const BODY_BYTES_MAX = {
  /** Prompts with files, recordings, batches. */
  generating: 32 * MIB,
  /** Runs, agents, sessions and compile. */
  documents: 8 * MIB,
  standard: MIB,
  /** Routes without a credential. */
  open: 64 * KIB,
} as const;

export type BodyClass = keyof typeof BODY_BYTES_MAX;

/** The part of a route that decides the size of its body. */
interface RouteWithBody {
  auth: readonly string[] | 'none';
  bodyClass?: BodyClass;
}

/** Returns the class that the route declares, else `standard`, or `open` where no credential is needed. */
export function chooseBodyClass({ auth, bodyClass }: RouteWithBody): BodyClass {
  return bodyClass ?? (auth === 'none' ? 'open' : 'standard');
}

/** Bytes beyond the limit that are read and dropped: a client that is still sending would see a reset, not the answer. */
const SWALLOWED_BYTES_MAX = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** A larger body of announced length is written into one piece of memory, which is never copied. */
const LARGE_BYTES = 256 * 1024;
/** This share of it must have arrived first: a client that only announces much takes no memory. */
const ARRIVED_SHARE = 1 / 8;
/** All requests without a credential share one tenant's part of the budget and leave the rest to the others. */
const ANONYMOUS = 'anonymous';

/** The part of the process's budget that one request holds. */
export class BodyShare {
  readonly #budget: ByteBudget;
  readonly #tenant: string;
  #bytes = 0;

  constructor(budget: ByteBudget, principal: Principal | undefined) {
    this.#budget = budget;
    this.#tenant = principal?.accountId ?? ANONYMOUS;
  }

  take(bytes: number): boolean {
    const isTaken = this.#budget.take(this.#tenant, bytes);
    if (isTaken) this.#bytes += bytes;
    return isTaken;
  }

  /** Call it when the body is no longer in memory: when the handler has settled, not when the client leaves. */
  giveBack(): void {
    if (this.#bytes > 0) this.#budget.giveBack(this.#tenant, this.#bytes);
    this.#bytes = 0;
  }
}

/**
 * Reads a whole request body and counts its bytes in `share`.
 *
 * @throws AppError PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when the process holds too many bodies; INVALID_INPUT when the
 *   client leaves or compresses
 */
export async function readBody(req: IncomingMessage, bodyClass: BodyClass, share: BodyShare): Promise<Buffer> {
  const bytesMax = BODY_BYTES_MAX[bodyClass];
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('INVALID_INPUT', `content encoding ${encoding} is not supported`);
  }
  if (Number(req.headers['content-length'] ?? 0) > bytesMax + SWALLOWED_BYTES_MAX) throw tooLarge(bytesMax);
  if (req.destroyed && !req.readableEnded) throw endedEarly();
  const body = new ArrivingBody(Number(req.headers['content-length'] ?? 0));
  let size = 0;
  let refusal: AppError | undefined;
  return new Promise((resolve, reject) => {
    const refuse = (error: AppError): void => {
      refusal = error;
      body.drop();
      share.giveBack();
    };
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (refusal) {
        if (size > bytesMax + SWALLOWED_BYTES_MAX) reject(refusal);
      } else if (size > bytesMax) refuse(tooLarge(bytesMax));
      else if (!share.take(chunk.length)) refuse(overloaded());
      else body.push(chunk);
    });
    req.on('end', () => {
      if (refusal) reject(refusal);
      else resolve(body.take());
    });
    const leave = (): void => {
      if (!req.readableEnded) reject(endedEarly());
    };
    req.on('error', leave);
    req.on('close', leave);
  });
}

/** The bytes of a body that have arrived. */
class ArrivingBody {
  readonly #announced: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Has the announced length. */
  #whole: Buffer | undefined;

  constructor(announced: number) {
    this.#announced = announced >= LARGE_BYTES ? announced : 0;
  }

  push(chunk: Buffer): void {
    if (this.#whole) this.#whole.set(chunk, this.#size);
    else this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#whole || this.#announced === 0 || this.#size < this.#announced * ARRIVED_SHARE) return;
    this.#whole = Buffer.allocUnsafeSlow(this.#announced);
    let at = 0;
    for (const each of this.#chunks) {
      this.#whole.set(each, at);
      at += each.length;
    }
    this.#chunks = [];
  }

  take(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.#size);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
  }

  drop(): void {
    this.#chunks = [];
    this.#whole = undefined;
  }
}

function endedEarly(): AppError {
  return new AppError('INVALID_INPUT', 'the request body ended early');
}

/** The refusal of a body beyond the limit of its endpoint. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the request body is larger than ${bytesMax} bytes`);
}

/** The refusal when the process holds too many bodies. */
export function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'too many large requests at once, try again later', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

const { levels, members, names } = requestJsonBounds;
const refusals = {
  levels: `the request body is nested deeper than ${levels} levels`,
  members: `the request body has more than ${members} members and elements`,
  names: `the request body has more than ${names} members of objects`,
};

/** @throws AppError INVALID_INPUT for invalid JSON, and JSON beyond the bounds */
export function parseJson(body: Buffer): unknown {
  const { mayOverflow } = checkText(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw notJson();
  }
  return checkNumbers(value, mayOverflow);
}

/** @throws AppError INVALID_INPUT for a body that is not a JSON object */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  return toObject(parseJson(body));
}

/**
 * Like `parseJsonObject`, for a body that takes long: on behalf of an account, and unless `signal` aborts.
 *
 * @throws AppError; SERVICE_UNAVAILABLE when too many large bodies wait; the signal's reason
 */
export async function parseLargeJsonObject(
  body: Buffer,
  thread: Pick<JsonThread, 'parse'>,
  account: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  await yieldLoop(account);
  signal?.throwIfAborted();
  const { mayOverflow } = checkText(body);
  let value: unknown;
  try {
    ({ value } = await parseLarge(thread, account, body, { signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof SyntaxError ? notJson() : overloaded();
  }
  return toObject(checkNumbers(value, mayOverflow));
}

function checkText(body: Buffer): { mayOverflow: boolean } {
  if (!isUtf8(body)) throw new AppError('INVALID_INPUT', 'the request body is not valid UTF-8');
  const { exceeded, mayOverflow } = scanJson(body, requestJsonBounds);
  if (exceeded) throw new AppError('INVALID_INPUT', refusals[exceeded]);
  return { mayOverflow };
}

function notJson(): AppError {
  return new AppError('INVALID_INPUT', 'the request body is not valid JSON');
}

function checkNumbers(value: unknown, mayOverflow: boolean): unknown {
  if (mayOverflow && hasInfinity(value)) {
    throw new AppError('INVALID_INPUT', 'the request body has a number that is too large');
  }
  return value;
}

function toObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_INPUT', 'the request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}
