import { failure, type SafeFetchFailure, type SafeFetchResult } from './outcome.js';

/** Limits of an accepted answer. */
export interface ResponseLimits {
  bodyBytesMax: number;
  oversize: 'fail' | 'truncate';
  broken: 'fail' | 'truncate';
}

/** Collects one answer within limits. Each step gives the result as soon as it is settled. */
export interface ResponseReader {
  start(status: number, headers: Record<string, string | string[] | undefined>): SafeFetchResult | undefined;
  data(chunk: Buffer): SafeFetchResult | undefined;
  end(): SafeFetchResult;
  /** The exchange ended before the answer did. */
  fail(failed: SafeFetchFailure): SafeFetchResult;
}

export function responseReader(limits: ResponseLimits, remoteAddress: string, isHead: boolean): ResponseReader {
  let head: { status: number; headers: Record<string, string | string[] | undefined> } | undefined;
  const chunks: Buffer[] = [];
  let received = 0;

  const result = (truncated: boolean): SafeFetchResult =>
    head
      ? { ok: true, ...head, body: Buffer.concat(chunks, received), truncated, remoteAddress }
      : failure('protocol', 'the answer has no status', { reached: true });
  const tooLarge = () => failure('too_large', `the answer exceeds ${limits.bodyBytesMax} bytes`, { reached: true });

  return {
    // Interim answers (103 …) also arrive here; the last answer counts.
    start(status, headers) {
      head = { status, headers };
      const announced = isHead ? 0 : Number(headers['content-length'] ?? 0);
      return limits.oversize === 'fail' && announced > limits.bodyBytesMax ? tooLarge() : undefined;
    },
    data(chunk) {
      const room = limits.bodyBytesMax - received;
      const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
      chunks.push(kept);
      received += kept.length;
      if (kept.length === chunk.length) return undefined;
      return limits.oversize === 'truncate' ? result(true) : tooLarge();
    },
    end: () => result(false),
    // The status of an interim answer is not the answer's.
    fail: (failed) => (limits.broken === 'truncate' && head && head.status >= 200 ? result(true) : failed),
  };
}
