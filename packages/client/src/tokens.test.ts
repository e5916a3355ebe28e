import { describe, expect, it } from '@jest/globals';
import { type IssuedToken, refreshingToken } from './tokens.js';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

function makeSource(options: { first?: IssuedToken } = {}) {
  let nowMs = START_MS;
  let minted = 0;
  const mint = async (): Promise<IssuedToken> => {
    minted++;
    return { token: `t${minted}`, expires_at: new Date(nowMs + 600_000).toISOString() };
  };
  const source = refreshingToken(mint, { ...options, nowMs: () => nowMs });
  return { source, skip: (ms: number) => (nowMs += ms), minted: () => minted };
}

describe('refreshingToken', () => {
  it('asks once for requests that come together, and keeps the token while it is fresh', async () => {
    const { source, skip, minted } = makeSource();
    expect(await Promise.all([source.getToken(), source.getToken()])).toEqual(['t1', 't1']);
    skip(569_999);
    expect(await source.getToken()).toBe('t1');
    expect(minted()).toBe(1);
  });

  it('gets another token shortly before the end of the first', async () => {
    const { source, skip } = makeSource();
    await source.getToken();
    skip(570_000);
    expect(await source.getToken()).toBe('t2');
  });

  it('gets another token when the service refuses the present one, and not for an older one', async () => {
    const { source } = makeSource();
    await source.getToken();
    expect(await source.getToken('t1')).toBe('t2');
    expect(await source.getToken('t1')).toBe('t2');
  });

  it('uses a first token until half of its time when it is short', async () => {
    const expires_at = new Date(START_MS + 20_000).toISOString();
    const { source, skip } = makeSource({ first: { token: 'first', expires_at } });
    skip(9_999);
    expect(await source.getToken()).toBe('first');
    skip(1);
    expect(await source.getToken()).toBe('t1');
  });

  it('uses a token without an end until it is refused', async () => {
    const { source, skip } = makeSource({ first: { token: 'first' } });
    skip(1e12);
    expect(await source.getToken()).toBe('first');
    expect(await source.getToken('first')).toBe('t1');
  });

  it('tries again after a failed mint', async () => {
    let attempts = 0;
    const source = refreshingToken(async () => {
      attempts++;
      if (attempts === 1) throw new Error('backend unavailable');
      return { token: 'late' };
    });
    await expect(source.getToken()).rejects.toThrow('backend unavailable');
    expect(await source.getToken()).toBe('late');
  });
});
