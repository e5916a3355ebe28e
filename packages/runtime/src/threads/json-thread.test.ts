import { describe, expect, it } from '@jest/globals';
import { writeExactJson } from '../json/exact-json.js';
import { parseLarge } from './json-thread.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const fromThread = { parse: async () => 'parsed in the thread' };
const text = `{"text":"${'a'.repeat(1024 * 1024)}"}`;
const members = `{${Array.from({ length: 40_000 }, (_, i) => `"k${i}":0`).join(',')}}`;

describe('parseLarge', () => {
  it('parses long strings in the thread', async () => {
    const parsed = { value: 'parsed in the thread', isMostlyText: true };
    expect(await parseLarge(fromThread, 'account', utf8(text))).toEqual(parsed);
  });

  it('parses many small values here', async () => {
    const { value, isMostlyText } = await parseLarge(fromThread, 'account', utf8(members));
    expect(isMostlyText).toBe(false);
    expect(JSON.stringify(value)).toBe(members);
  });

  it('keeps the digits of numbers on request', async () => {
    const { value } = await parseLarge(fromThread, 'account', utf8('[12345678901234567890]'), { isExact: true });
    expect(writeExactJson(value)).toBe('[12345678901234567890]');
  });

  it('rejects invalid text as a syntax error', async () => {
    await expect(parseLarge(fromThread, 'account', utf8(`${members}x`))).rejects.toThrow(SyntaxError);
  });

  it('rejects with the reason of a signal that aborts while it waits', async () => {
    const left = new AbortController();
    const parsing = parseLarge(fromThread, 'account', utf8(members), { signal: left.signal });
    left.abort(new Error('the client left'));
    await expect(parsing).rejects.toThrow('the client left');
  });
});
