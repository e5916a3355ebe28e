import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger, systemClock } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { findApiKey } from '../operations/api-keys/find-api-key.js';
import { issueApiKey } from '../operations/api-keys/issue-api-key.js';
import { insertOwner } from '../store/owners.js';
import { insertProject } from '../store/projects.js';
import { finishPepperRotation } from './peppers.js';

const [OLD, NEW] = ['the old pepper', 'the new pepper'];

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  const [accountId, userId] = [randomUUID(), randomUUID()];
  projectId = randomUUID();
  const createdAt = systemClock.now();
  const email = 'o@example.com';
  const none = { passwordHash: null, identity: undefined, billingProvider: undefined };
  await insertOwner(database.pool, { accountId, userId, email, emailKey: email, ...none, createdAt });
  await insertProject(database.pool, { id: projectId, accountId, ownerId: userId, name: 'p', createdAt });
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM api_keys');
});
afterAll(() => database.drop());

function edge(current: string, previous?: string): Context {
  const config = { peppers: { current, previous }, keyPrefix: 'tg_' };
  return { config, pool: database.pool, logger: silentLogger, clock: systemClock } as unknown as Context;
}

async function issue(ctx: Context) {
  const { key, secret } = await issueApiKey(ctx, database.pool, { projectId, kind: 'secret', label: 'k' });
  return { id: key.id, secret };
}

/** Runs `finish-pepper-rotation` and returns what it prints. */
async function finish(isAbandoning: boolean): Promise<unknown> {
  let printed: unknown;
  const parts = { config: edge(NEW, OLD).config, openPool: () => database.pool };
  const call = {
    flag: () => isAbandoning,
    signal: new AbortController().signal,
    async print(value: unknown) {
      printed = value;
    },
  };
  type Arguments = Parameters<typeof finishPepperRotation.run>;
  await finishPepperRotation.run(parts as unknown as Arguments[0], call as unknown as Arguments[1]);
  return printed;
}

describe('finish-pepper-rotation', () => {
  it('rejects to end while keys depend on the previous pepper, and revokes none', async () => {
    const { id, secret } = await issue(edge(OLD));
    await expect(finish(false)).rejects.toThrow('1 depend on KEY_PEPPER_PREVIOUS');
    expect((await findApiKey(edge(NEW, OLD), secret))?.keyId).toBe(id);
  });

  it('revokes the keys that still depend for --abandon, even while the previous pepper is set', async () => {
    const [used, unnamed, unused] = [await issue(edge(OLD)), await issue(edge(OLD)), await issue(edge(OLD))];
    const made = await issue(edge(NEW, OLD));
    await database.pool.query('UPDATE api_keys SET pepper_id = NULL WHERE id = $1', [unnamed.id]);
    await findApiKey(edge(NEW, OLD), used.secret);
    expect(await finish(true)).toMatchObject({ current: 2, dependent: 2, revoked: 2, forgotten: 2 });
    for (const { id, secret } of [used, made]) expect((await findApiKey(edge(NEW, OLD), secret))?.keyId).toBe(id);
    for (const { secret } of [unnamed, unused]) {
      expect(await findApiKey(edge(NEW, OLD), secret)).toBeUndefined();
      expect(await findApiKey(edge(OLD), secret)).toBeUndefined();
    }
  });
});
