import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behavior } from './behavior.js';
import { FrameTurns } from './frame-turns.js';
import type { Frame } from './frames.js';
import type { CallRecorder } from './journal.js';

/** Sends a plain JSON answer according to the behavior. All its tokens count as served once it is sent. */
export async function playBody(
  res: ServerResponse,
  body: object,
  usage: { inputTokens: number; outputTokens: number },
  behavior: Behavior,
  call: CallRecorder,
): Promise<void> {
  const gone = watchForGone(res);
  const delayMs =
    (behavior.delayFirstTokenMs ?? 0) + (behavior.delayPerTokenMs ?? 0) * Math.max(0, usage.outputTokens - 1);
  if (!(await pause(delayMs, gone))) return call.ended('client_gone');
  call.answered(200, usage.inputTokens);
  call.served(usage.outputTokens);
  const text = JSON.stringify(body);
  if (behavior.cutAfterTokens !== undefined) {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    res.write(text.slice(0, text.length / 2));
    cut(res);
    return call.ended('cut');
  }
  const sent = behavior.malformed ? text.slice(0, text.length / 2) : text;
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) });
  res.end(sent);
  call.ended('completed');
}

/**
 * Sends a stream frame by frame, recording each in the journal as it is written, until it ends or the client
 * disconnects.
 */
export async function playFrames(
  res: ServerResponse,
  frames: Iterable<Frame>,
  inputTokens: number,
  behavior: Behavior,
  call: CallRecorder,
): Promise<void> {
  const gone = watchForGone(res);
  const turns = new FrameTurns();
  let served = 0;
  for (const frame of frames) {
    await turns.next();
    if (frame.tokens > 0) {
      if (behavior.cutAfterTokens !== undefined && served >= behavior.cutAfterTokens) {
        cut(res);
        return call.ended('cut');
      }
      if (behavior.hang === 'mid_stream' && served >= 1) {
        await gone.promise;
        return call.ended('client_gone');
      }
      const delayMs = served === 0 ? behavior.delayFirstTokenMs : behavior.delayPerTokenMs;
      if (!(await pause(delayMs ?? 0, gone))) return call.ended('client_gone');
    }
    if (gone.signal.aborted) return call.ended('client_gone');
    if (!res.headersSent) {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
      call.answered(200, inputTokens);
    }
    if (frame.tokens > 0) call.served(frame.tokens);
    served += frame.tokens;
    const text = behavior.malformed && served === 2 && frame.tokens > 0 ? 'data: {"id":"chatcmpl-fa\n\n' : frame.text;
    if (!res.write(text))
      await Promise.race([once(res, 'drain', { signal: gone.signal }).catch(() => {}), gone.promise]);
  }
  if (gone.signal.aborted) return call.ended('client_gone');
  res.end();
  call.ended('completed');
}

const CUT_DELAY_MS = 20;

export interface Gone {
  signal: AbortSignal;
  promise: Promise<void>;
}

/** Reports a connection that closed before the answer was finished. */
export function watchForGone(res: ServerResponse): Gone {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    res.once('close', () => {
      if (!res.writableFinished) controller.abort();
      resolve();
    });
  });
  if (res.destroyed) controller.abort();
  return { signal: controller.signal, promise };
}

/** Returns false if the client has disconnected. */
export async function pause(ms: number, gone: Gone): Promise<boolean> {
  if (ms > 0) await sleep(ms, undefined, { signal: gone.signal }).catch(() => {});
  return !gone.signal.aborted;
}

/**
 * Delivers the written bytes, then closes the connection in the middle of the message. The close follows a little later:
 * when it arrives together with the head, the fetch of Node 26 fails without a response.
 */
export function cut(res: ServerResponse): void {
  setTimeout(() => res.socket?.destroySoon(), CUT_DELAY_MS).unref();
}
