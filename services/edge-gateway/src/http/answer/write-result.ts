import { setTimeout as sleep } from 'node:timers/promises';
import type { AppError } from '@tollgate/errors';
import { writeExactJson } from '@tollgate/runtime';
import type { Exchange } from '../exchange/exchange.js';
import type { EventStreamResult, JsonResult, RouteResult, StreamEvent, StreamResult } from '../exchange/route.js';
import { flatten } from './answer-copy.js';
import { type AnswerStream, streamHeaders } from './stream.js';

/** The headers of a stream are sent after this time, even if its first piece has not arrived. */
const HEADERS_AFTER_MS = 250;

/** Answers with the result of a handler. */
export async function writeResult(exchange: Exchange, result: RouteResult, defaultStatus: number): Promise<void> {
  if ('events' in result || 'chunks' in result) return writeStream(exchange, result);
  exchange.reply.answer(result.status ?? defaultStatus, jsonHeaders(result), toBytes(result.body));
}

function jsonHeaders({ headers, body }: JsonResult): string[] {
  const all: Record<string, string> = { 'Cache-Control': 'no-store', ...headers };
  if (body !== undefined) all['Content-Type'] ??= 'application/json; charset=utf-8';
  return flatten(all);
}

function toBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : writeExactJson(body));
}

/**
 * Writes a stream with backpressure. A failure before the headers are sent can still become a plain error answer. Calls
 * the source's `return()` when the client leaves.
 */
async function writeStream(exchange: Exchange, result: StreamResult): Promise<void> {
  const source = 'events' in result ? result.events : result.chunks;
  const iterator: AsyncIterator<StreamPiece> = source[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    const first = await Promise.race([next, sleep(HEADERS_AFTER_MS, undefined, { ref: false })]);
    const stream = openStream(exchange, result);
    if (first === undefined) exchange.res.flushHeaders();
    for (let item = await next; !item.done; item = await next) {
      const full = send(stream, item.value);
      if (full) await full;
      if (!stream.isWanted) return;
      next = iterator.next();
    }
    exchange.reply.copy?.complete();
    exchange.done();
    stream.end();
  } finally {
    await iterator.return?.();
  }
}

type StreamPiece = string | Uint8Array | StreamEvent;

function openStream(exchange: Exchange, result: StreamResult): AnswerStream {
  if ('events' in result) return openEvents(exchange, result);
  const headers = { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store', ...result.headers };
  return exchange.reply.openStream(flatten(headers), { format: undefined });
}

function openEvents(exchange: Exchange, { format, ndjsonType, endsInErrors }: EventStreamResult): AnswerStream {
  const errorEvent = (error: AppError): string => exchange.reply.renderError(error).body;
  const options = { format, ...(endsInErrors && { errorEvent }) };
  return exchange.reply.openStream(streamHeaders(format, ndjsonType), options);
}

function send(stream: AnswerStream, piece: StreamPiece): Promise<void> | undefined {
  if (typeof piece === 'string' || piece instanceof Uint8Array) return stream.sendRaw(piece);
  return stream.send(piece.json, piece.name, piece.id);
}
