import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { ReadTurns } from './read-turns.js';
import { UpstreamRequest } from './upstream.js';

/** Calls of the listener and of the connection, in order. */
let seen: string[];
let request: UpstreamRequest;
let controller: Dispatcher.DispatchController;

beforeEach(() => {
  seen = [];
  let nowMs = 0;
  // Every chunk spends the whole budget of a turn.
  const turns = new ReadTurns(() => (nowMs += 20));
  const listener = {
    onHead: () => undefined,
    onChunk: (chunk: Buffer) => {
      if (chunk.toString() === 'broken') throw new Error('unreadable');
      seen.push(chunk.toString());
    },
    onDone: () => seen.push('done'),
    onFailed: ({ kind }: { kind: string }) => seen.push(`failed: ${kind}`),
  };
  request = new UpstreamRequest(
    'openai',
    listener,
    { canceled: () => undefined, ended: () => seen.push('free') },
    turns,
  );
  controller = {
    pause: () => seen.push('pause'),
    resume: () => seen.push('resume'),
    abort: (error: Error) => seen.push(`abort: ${error.message}`),
  } as Partial<Dispatcher.DispatchController> as Dispatcher.DispatchController;
  request.wasSent();
  request.onRequestStart(controller);
});

function receive(...chunks: string[]): void {
  for (const chunk of chunks) request.onResponseData(controller, Buffer.from(chunk));
}

describe('chunks beyond the budget of a turn', () => {
  it('reads a chunk in a later turn and pauses its socket until then', async () => {
    receive('one', 'two', 'three');
    expect(seen).toEqual(['one', 'pause']);
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'two', 'three', 'resume']);
  });

  it('leaves the socket paused while the reader is slow', async () => {
    receive('one', 'two');
    request.pause();
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'pause', 'two']);
    request.resume();
    expect(seen.at(-1)).toBe('resume');
  });

  it('resumes no socket for a reader that catches up before the chunk is read', async () => {
    receive('one', 'two');
    request.pause();
    request.resume();
    expect(seen).toEqual(['one', 'pause', 'pause']);
    await nextTurn();
    expect(seen.slice(3)).toEqual(['two', 'resume']);
  });

  it('says once that a chunk waited, also after it was read', async () => {
    receive('one');
    expect(request.isBehind()).toBe(false);
    receive('two');
    expect([request.isBehind(), request.isBehind()]).toEqual([true, true]);
    await nextTurn();
    expect(request.isBehind()).toBe(false);
    receive('three', 'four');
    await nextTurn();
    expect([request.isBehind(), request.isBehind()]).toEqual([true, false]);
  });

  it('reads a waiting chunk before the end of its answer', async () => {
    receive('one', 'two');
    request.onResponseEnd();
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'two', 'free', 'done']);
  });

  it('reads a waiting chunk before the failure of its connection', () => {
    receive('one', 'two');
    request.onResponseError(controller, new Error('reset'));
    expect(seen).toContain('failed: transport');
    expect(seen.indexOf('two')).toBeLessThan(seen.indexOf('failed: transport'));
  });

  it('drops a waiting chunk when the caller has left', async () => {
    receive('one', 'two');
    request.abort();
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'abort: the caller has left']);
  });

  it('breaks the connection when a waiting chunk cannot be read', async () => {
    receive('one', 'broken');
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'abort: unreadable']);
  });
});
