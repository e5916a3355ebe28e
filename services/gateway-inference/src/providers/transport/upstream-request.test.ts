import { beforeEach, describe, expect, it } from '@jest/globals';
import { LoopShare } from '@tollgate/runtime';
import type { Dispatcher } from 'undici';
import { UpstreamRequest } from './upstream-request.js';

/** Calls of the listener and of the connection, in order. */
let seen: string[];
let request: UpstreamRequest;
let controller: Dispatcher.DispatchController;
let onChunk: (text: string) => void;
let onResume: () => void;
let loop: LoopShare;

/** Resolves after one more piece of work of the request's account, if one waits. */
const nextTurn = (): Promise<void> => new Promise((resolve) => loop.later('test', resolve));

beforeEach(() => {
  seen = [];
  onChunk = () => undefined;
  onResume = () => undefined;
  let nowMs = 0;
  // Every chunk spends the whole budget of a turn.
  loop = new LoopShare(() => (nowMs += 20));
  const listener = {
    onHead: () => undefined,
    onChunk: (chunk: Buffer) => {
      if (chunk.toString() === 'broken') throw new Error('unreadable');
      seen.push(chunk.toString());
      onChunk(chunk.toString());
    },
    onDone: () => seen.push('done'),
    onFailed: ({ kind }: { kind: string }) => seen.push(`failed: ${kind}`),
  };
  request = new UpstreamRequest(
    'openai',
    listener,
    { accountId: 'a', canceled: () => undefined, ended: () => seen.push('free') },
    loop,
  );
  controller = {
    pause: () => seen.push('pause'),
    resume: () => {
      seen.push('resume');
      onResume();
      onResume = () => undefined;
    },
    abort: (error: Error) => seen.push(`abort: ${error.message}`),
  } as Partial<Dispatcher.DispatchController> as Dispatcher.DispatchController;
  request.wasSent();
  request.onRequestStart(controller);
  request.onResponseStart(controller, 200, { 'transfer-encoding': 'chunked' });
});

function receive(...chunks: string[]): void {
  for (const chunk of chunks) request.onResponseData(controller, Buffer.from(chunk));
}

describe('chunks beyond the budget of a turn', () => {
  it('reads them in a later turn, in order', async () => {
    receive('one', 'two', 'three');
    expect(seen).toEqual(['one']);
    await nextTurn();
    expect(seen).toEqual(['one', 'two']);
    await nextTurn();
    expect(seen).toEqual(['one', 'two', 'three', 'resume']);
  });

  it('pauses the socket when much waits', async () => {
    receive('one', 'x'.repeat(200_000));
    expect(seen).toEqual(['one']);
    receive('y'.repeat(100_000));
    expect(seen).toEqual(['one', 'pause']);
    await nextTurn();
    await nextTurn();
    expect(seen.at(-1)).toBe('resume');
  });

  it('leaves the socket paused while the reader is slow', async () => {
    receive('one', 'two');
    request.pause();
    await nextTurn();
    expect(seen).toEqual(['one', 'pause', 'two']);
    request.resume();
    expect(seen.at(-1)).toBe('resume');
  });

  it('resumes no socket for a reader that catches up before the chunk is read', async () => {
    receive('one', 'two');
    request.pause();
    request.resume();
    expect(seen).toEqual(['one', 'pause']);
    await nextTurn();
    expect(seen.slice(2)).toEqual(['two', 'resume']);
  });

  it('keeps the order when the reader catches up in the middle', async () => {
    onChunk = (text) => {
      if (text !== 'two') return;
      request.pause();
      request.resume();
    };
    onResume = () => receive('four');
    receive('one', 'two', 'three');
    for (let i = 0; i < 3; i++) await nextTurn();
    expect(seen.filter((it) => /^(one|two|three|four)$/.test(it))).toEqual(['one', 'two', 'three', 'four']);
  });

  it('reads a waiting chunk before the end of its answer', async () => {
    receive('one', 'two');
    request.onResponseEnd();
    await nextTurn();
    expect(seen).toEqual(['one', 'two', 'free', 'done']);
  });

  it('reads the last chunks of an answer that has ended in their turn', async () => {
    receive('one', 'two');
    request.onResponseEnd();
    expect(seen).toEqual(['one']);
    await nextTurn();
    expect(seen).toEqual(['one', 'two', 'free', 'done']);
    request.readWaiting();
    expect(seen).toHaveLength(4);
  });

  it('ends at once when its reader asks for the last chunks', async () => {
    receive('one', 'two');
    request.onResponseEnd();
    request.readWaiting();
    expect(seen).toEqual(['one', 'two', 'free', 'done']);
    await nextTurn();
    expect(seen).toHaveLength(4);
  });

  it('frees its slot and fails when the last chunk cannot be read', async () => {
    receive('one', 'broken');
    request.onResponseEnd();
    await nextTurn();
    expect(seen).toEqual(['one', 'free', 'abort: the caller has left', 'failed: transport']);
  });

  it('frees its slot when the caller leaves before the last chunk is read', async () => {
    receive('one', 'two');
    request.onResponseEnd();
    request.abort();
    await nextTurn();
    expect(seen).toEqual(['one', 'abort: the caller has left', 'free']);
  });

  it('reads a waiting chunk before the failure of its connection', () => {
    receive('one', 'two');
    request.onResponseError(controller, new Error('reset'));
    expect(seen).toContain('failed: transport');
    expect(seen.indexOf('two')).toBeLessThan(seen.indexOf('failed: transport'));
  });

  it('frees its slot and fails when a waiting chunk cannot be read and the connection fails', () => {
    receive('one', 'broken');
    request.onResponseError(controller, new Error('reset'));
    expect(seen).toEqual(['one', 'free', 'abort: the caller has left', 'failed: transport']);
  });

  it('reads waiting chunks at once when asked', () => {
    receive('one', 'two');
    request.readWaiting();
    expect(seen).toEqual(['one', 'two', 'resume']);
  });

  it('reads no chunk twice when a reader asks for the waiting ones, and leaves, in the middle', async () => {
    onChunk = (text) => {
      if (text !== 'two') return;
      request.readWaiting();
      request.abort();
    };
    receive('one', 'two', 'three');
    await nextTurn();
    expect(seen).toEqual(['one', 'two', 'abort: the caller has left']);
  });

  it('drops a waiting chunk when the caller has left', async () => {
    receive('one', 'two');
    request.abort();
    await nextTurn();
    expect(seen).toEqual(['one', 'abort: the caller has left']);
  });

  it('breaks the connection when a waiting chunk cannot be read', async () => {
    receive('one', 'broken');
    await nextTurn();
    expect(seen).toEqual(['one', 'abort: unreadable']);
  });
});

describe('an answer that may end with its connection', () => {
  beforeEach(() => request.onResponseStart(controller, 200, { 'content-length': '1000000000' }));

  it('collects what a slow reader leaves, without pausing the socket', async () => {
    request.pause();
    receive('one', 'two');
    await nextTurn();
    expect(seen).toEqual([]);
    request.resume();
    await nextTurn();
    expect(seen).toEqual(['one']);
    await nextTurn();
    expect(seen).toEqual(['one', 'two', 'resume']);
  });

  it('frees the slot of an answer that has ended when its reader leaves before its last chunk', async () => {
    request.pause();
    receive('one', 'two', 'three');
    request.resume();
    request.onResponseEnd();
    await nextTurn();
    request.pause();
    await nextTurn();
    request.abort();
    expect(seen).toEqual(['one', 'two', 'abort: the caller has left', 'free']);
  });

  it('ends when a slow reader leaves too much', () => {
    request.pause();
    receive(...Array.from({ length: 33 }, () => 'x'.repeat(1024 * 1024)));
    expect(seen).toEqual(['abort: the caller has left', 'failed: transport']);
  });
});
