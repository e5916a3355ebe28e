import type { ServerResponse } from 'node:http';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import type { JsonResult, StreamResult } from '../exchange/route.js';
import { type OpenStreams, writable } from './stream-framing.js';

/** Headers go out at the latest after this time, even when a stream has nothing to say yet. */
const HEADERS_AFTER_MS = 250;

export function jsonAnswer(result: JsonResult, defaultStatus: number): KeptAnswer {
  const status = result.status ?? defaultStatus;
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', ...result.headers };
  if (result.body === undefined) return { status, headers, body: Buffer.alloc(0) };
  headers['Content-Type'] ??= 'application/json; charset=utf-8';
  return { status, headers, body: bytesOf(result.body) };
}

function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export function writeAnswer(res: ServerResponse, answer: KeptAnswer): void {
  if (res.headersSent || res.destroyed) return;
  const headers = answer.status === 204 ? {} : { 'Content-Length': String(answer.body.length) };
  res.writeHead(answer.status, { ...answer.headers, ...headers });
  res.end(answer.body);
}

/**
 * Writes a stream with backpressure; `keep` is told every chunk. A failure before the first chunk is thrown and can still
 * become a plain error answer.
 */
export async function writeStream(
  res: ServerResponse,
  result: StreamResult,
  open: OpenStreams,
  keep: ((chunk: string | Uint8Array) => void) | undefined,
): Promise<void> {
  const iterator = result.chunks[Symbol.asyncIterator]();
  const stream = {
    shutDown(): void {
      if (res.headersSent && result.shutdownChunk !== undefined) res.write(result.shutdownChunk);
      res.end();
    },
  };
  open.add(stream);
  try {
    let next = iterator.next();
    await Promise.race([next, new Promise((resolve) => setTimeout(resolve, HEADERS_AFTER_MS).unref())]);
    res.writeHead(result.status ?? 200, { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store', ...result.headers });
    res.flushHeaders();
    for (let item = await next; !item.done; item = await next) {
      keep?.(item.value);
      // An answer that is kept is finished without its client, also while that client does not read.
      if (isGone(res)) {
        if (!keep) break;
      } else if (!res.write(item.value) && !keep) await writable(res);
      next = iterator.next();
    }
    res.end();
  } finally {
    open.delete(stream);
    await iterator.return?.();
  }
}

function isGone(res: ServerResponse): boolean {
  return res.destroyed || res.writableEnded;
}
