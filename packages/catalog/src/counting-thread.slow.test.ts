import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@tollgate/errors';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { CountingThread } from './counting-thread.js';

/** The counts of one text, or the code of the error. */
async function countOrCode(thread: CountingThread, ...pieces: (string | null)[]): Promise<number[] | string> {
  try {
    return await thread.count([pieces as string[]]);
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

async function waitUntilEnded(thread: CountingThread): Promise<void> {
  while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
}

const toLetters = (number: number) => String(number).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

describe('counting thread', () => {
  it('counts each text as the sum of its pieces', async () => {
    const thread = new CountingThread();
    const sentence = 'The gate opens and another carriage passes.';
    const pieces = Array.from({ length: 20 }, () => sentence);
    expect(await thread.count([pieces, [], ['<|endoftext|>']])).toEqual([
      20 * countTokens(sentence),
      0,
      countTokens('<|endoftext|>', { disallowedSpecial: new Set<string>() }),
    ]);
  });

  it('answers each of many requests with its own counts', async () => {
    const thread = new CountingThread();
    const texts = Array.from({ length: 16 }, (_, i) => 'word '.repeat(i));
    const counts = await Promise.all(texts.map(async (text) => (await thread.count([[text]]))[0]));
    expect(counts).toEqual(texts.map((text) => countTokens(text)));
  });

  it('fails the requests of a thread that ends, retryable, and starts another for the next', async () => {
    const thread = new CountingThread();
    const long = Array.from({ length: 50_000 }, () => 'a word');
    const both = await Promise.all([countOrCode(thread, null), countOrCode(thread, ...long)]);
    expect(both).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(await countOrCode(thread, 'a word')).toEqual([countTokens('a word')]);
  });

  it('refuses more requests than may wait', async () => {
    const thread = new CountingThread();
    const all = await Promise.all(Array.from({ length: 17 }, () => countOrCode(thread, 'x')));
    expect(all.filter((count) => count === 'SERVICE_UNAVAILABLE')).toHaveLength(1);
    expect(all.at(-1)).toBe('SERVICE_UNAVAILABLE');
  });

  it('fails only the late request while the thread answers others', async () => {
    const thread = new CountingThread({ timeoutMs: 6_000, idleMs: 500 });
    await thread.count([['x']]);
    let isOver = false;
    // Long words that are all different take the longest.
    const endless = Array.from({ length: 20_000 }, (_, index) => `${'x'.repeat(2_000)}${toLetters(index)}`);
    const late = countOrCode(thread, ...endless).finally(() => {
      isOver = true;
    });
    const others: unknown[] = [];
    while (!isOver) others.push(await countOrCode(thread, 'x'));
    expect(await late).toBe('SERVICE_UNAVAILABLE');
    expect(new Set(others.map(String))).toEqual(new Set(['1']));
    await waitUntilEnded(thread);
  });

  it('ends a thread that answers nothing in the time of a request', async () => {
    const thread = new CountingThread({ timeoutMs: 1 });
    expect(await countOrCode(thread, 'x')).toBe('SERVICE_UNAVAILABLE');
    expect(thread.isRunning).toBe(false);
  });

  it('ends when it is idle, and starts again', async () => {
    const thread = new CountingThread({ idleMs: 1 });
    await thread.count([['x']]);
    await waitUntilEnded(thread);
    expect(await thread.count([['x']])).toEqual([1]);
  });
});
