import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { databaseCheck, outboxCheck } from './standard-checks.js';

function poolThat(query: () => Promise<object>): pg.Pool {
  return { query } as unknown as pg.Pool;
}

const isReadOnly = (value: string) => poolThat(async () => ({ rows: [{ transaction_read_only: value }] }));
const failsWith = (code: string) => poolThat(() => Promise.reject(Object.assign(new Error('no'), { code })));

describe('databaseCheck', () => {
  it('resolves while the database accepts writes, and rejects while it is read-only', async () => {
    expect(await databaseCheck(isReadOnly('off')).check()).toBeUndefined();
    await expect(databaseCheck(isReadOnly('on')).check()).rejects.toThrow('the database is read-only');
  });

  it('reports a database without a free connection as degraded: the pools may have theirs', async () => {
    expect(await databaseCheck(failsWith('53300')).check()).toBe('too many connections');
    await expect(databaseCheck(failsWith('53200')).check()).rejects.toThrow('no');
  });
});

describe('outboxCheck', () => {
  it('reports events that have waited for longer than a restart of a broker', async () => {
    expect(await outboxCheck(async () => 30.9).check()).toBeUndefined();
    expect(await outboxCheck(async () => 31).check()).toBe('events have waited for 31 s');
  });
});
