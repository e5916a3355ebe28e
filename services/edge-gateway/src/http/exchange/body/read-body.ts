import type { IncomingMessage } from 'node:http';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { ByteBudget } from '@tollgate/runtime';
import { BODY_BYTES_MAX, type BodyClass } from './body-limits.js';

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
