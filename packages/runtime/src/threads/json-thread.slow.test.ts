import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeExactJson } from '../json/exact-json.js';
import { JsonThread } from './json-thread.js';

let thread: JsonThread;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

beforeEach(() => {
  thread = new JsonThread({ idleMs: 50 });
});
afterEach(() => thread.stop());

describe('JSON in a thread', () => {
  it.each([
    ['long strings', `{"data":"${'A'.repeat(3_000_000)}"}`],
    ['text of other alphabets', JSON.stringify({ text: 'Zoll ✓ 收费 \u{1F6A7} "quoted" \\ \n'.repeat(1_000) })],
    ['half of a surrogate pair', '{"text":"\\ud800"}'],
    ['numbers', '[0,-0,1e-7,123456789012345680,1.5]'],
    ['names that objects have', '{"__proto__":{"a":1},"constructor":2,"2":"b","1":"a","toString":null}'],
    ['repeated names', '{"a":1,"a":2}'],
    ['a bare value', '"text"'],
  ])('reads and writes %s as JSON.parse and JSON.stringify do', async (_name, text) => {
    const value = await thread.parse('account', utf8(text));
    const expected = JSON.parse(text);
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    expect(Buffer.from(await thread.stringify('account', [value])).toString()).toBe(JSON.stringify([expected]));
  });

  it('keeps the digits of numbers that JavaScript rounds, and leaves the value to write as it was', async () => {
    const text = '{"a":[12345678901234567890,{"b":"12345678901234567890","__proto__":1e400}],"c":[1.5,{"d":null}]}';
    const exact = { isExact: true };
    expect(await thread.parse('account', utf8(text))).toEqual(JSON.parse(text));
    const value = (await thread.parse('account', utf8(text), undefined, exact)) as object;
    expect(writeExactJson(value)).toBe(text);
    expect(Buffer.from(await thread.stringify('account', value)).toString()).toBe(text);
    expect(writeExactJson(value)).toBe(text);
    await expect(thread.parse('account', utf8('[01234567890123456789]'), undefined, exact)).rejects.toThrow(
      SyntaxError,
    );
  });

  it.each(['', '{', '{"a":1}x', 'undefined'])('rejects %j as a syntax error', async (text) => {
    await expect(thread.parse('account', utf8(text))).rejects.toThrow(SyntaxError);
  });

  it('reads a part of a buffer and leaves the buffer as it was', async () => {
    const bytes = Buffer.from('xx{"a":1}xx');
    expect(await thread.parse('account', bytes.subarray(2, 9))).toEqual({ a: 1 });
    expect(bytes.toString()).toBe('xx{"a":1}xx');
  });

  it('serves another account before the backlog of a busy one', async () => {
    const order: string[] = [];
    const parse = async (account: string): Promise<void> => {
      await thread.parse(account, utf8('{}'));
      order.push(account);
    };
    await Promise.all([...Array.from({ length: 10 }, () => parse('busy')), parse('other')]);
    expect(order.indexOf('other')).toBeLessThan(3);
  });

  it('refuses more bodies of one account than may wait, and still takes those of another', async () => {
    const parse = (account: string) => thread.parse(account, utf8('{}'));
    const busy = Array.from({ length: 600 }, () => parse('busy'));
    const other = parse('other');
    const outcomes = await Promise.allSettled(busy);
    // One runs, and half of the places are for the others.
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1 + 512);
    expect(await other).toEqual({});
  });

  it('forgets a body whose sender has left before its turn, and keeps its place free', async () => {
    const left = new AbortController();
    const first = thread.parse('account', utf8('[1]'));
    const waiting = Array.from({ length: 512 }, () => thread.parse('account', utf8('[2]'), left.signal));
    const all = Promise.allSettled(waiting);
    left.abort(new Error('the client left'));
    const kept = thread.parse('account', utf8('[3]'));
    for (const outcome of await all) expect(outcome).toMatchObject({ reason: { message: 'the client left' } });
    await expect(thread.parse('account', utf8('[4]'), left.signal)).rejects.toThrow('the client left');
    expect(await Promise.all([first, kept])).toEqual([[1], [3]]);
  });

  it('ends when it is idle, and gives its memory back', async () => {
    await thread.parse('account', utf8('{}'));
    expect(thread.isRunning).toBe(true);
    while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
    expect(await thread.parse('account', utf8('[1]'))).toEqual([1]);
  });
});
