import type { KeptAnswer } from '../../store/idempotency-records.js';

const LOOP_BYTES_MAX = 16;

/** Collects an answer for repeats of an idempotent request. */
export class AnswerCopy {
  #status = 0;
  #headers: Record<string, string> = {};
  #isComplete = false;
  readonly #chunks: (string | Uint8Array)[] = [];

  /** Starts the copy of a streamed answer. `headers` is a flat list. */
  begin(status: number, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = toRecord(headers);
  }

  push(...chunks: readonly (string | Uint8Array)[]): void {
    this.#chunks.push(...chunks);
  }

  /** Marks the answer as complete. Repeats get only a complete answer. */
  complete(): void {
    this.#isComplete = true;
  }

  /** Stores an answer that consists of one piece. */
  take(status: number, headers: readonly string[], body: Uint8Array): void {
    this.begin(status, headers);
    this.push(body);
    this.complete();
  }

  /** The copy; undefined for an answer that broke off. */
  answer(): KeptAnswer | undefined {
    if (!this.#isComplete) return undefined;
    return { status: this.#status, headers: this.#headers, body: concat(this.#chunks) };
  }
}

/** Joins pieces of text and bytes. A stream has hundreds of small ones, so none is converted or copied twice. */
export function concat(parts: readonly (string | Uint8Array)[]): Buffer {
  let length = 0;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const joined = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += joined.write(part, at);
    else at = copy(part, joined, at);
  }
  return joined;
}

/** Returns the offset behind the copied bytes. A loop copies a few bytes faster than a call. */
function copy(bytes: Uint8Array, target: Buffer, start: number): number {
  if (bytes.length > LOOP_BYTES_MAX) {
    target.set(bytes, start);
    return start + bytes.length;
  }
  for (let i = 0; i < bytes.length; i++) target[start + i] = bytes[i] as number;
  return start + bytes.length;
}

/** Returns headers as a flat list: name, value, name, value. */
export function flatten(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name]!);
  return list;
}

function toRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) record[headers[i]!] = headers[i + 1]!;
  return record;
}
