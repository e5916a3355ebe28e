import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger, systemClock } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { type Peppers, pepperId } from '../../domain/api-key.js';
import { countKeysByPepper, forgetPreviousHashes } from '../../store/api-keys.js';
import { insertOwner } from '../../store/owners.js';
import { insertProject } from '../../store/projects.js';
import { findApiKey } from './find-api-key.js';
import { issueApiKey } from './issue-api-key.js';

const [OLD, NEW] = ['the old pepper', 'the new pepper'];

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  const accountId = randomUUID();
  const userId = randomUUID();
  projectId = randomUUID();
  const createdAt = systemClock.now();
  const email = 'o@example.com';
  const none = { passwordHash: null, identity: undefined, billingProvider: undefined };
  await insertOwner(database.pool, { accountId, userId, email, emailKey: email, ...none, createdAt });
  await insertProject(database.pool, { id: projectId, accountId, ownerId: userId, name: 'p', createdAt });
});
afterAll(() => database.drop());

/** An edge with these peppers. */
function edge(current: string, previous?: string) {
  const peppers: Peppers = { current, previous };
  const config = { peppers, keyPrefix: 'tg_' } as Context['config'];
  const ctx = { config, pool: database.pool, logger: silentLogger, clock: systemClock };
  return {
    find: async (secret: string) => (await findApiKey(ctx, secret))?.keyId,
    issue: async () => {
      const { key, secret } = await issueApiKey(ctx, database.pool, { projectId, kind: 'secret', label: 'k' });
      return { id: key.id, secret };
    },
  };
}

async function readRow(id: string) {
  return (await database.pool.query('SELECT * FROM api_keys WHERE id = $1', [id])).rows[0];
}

describe('findApiKey', () => {
  it('serves every key at edges before, in and after a rotation of the pepper', async () => {
    const before = edge(OLD);
    const during = edge(NEW, OLD);
    const used = await before.issue();
    const unused = await before.issue();
    expect(await edge(NEW).find(used.secret)).toBeUndefined();

    // Both settings are in use: a rolling update.
    expect(await during.find(used.secret)).toBe(used.id);
    expect(await before.find(used.secret)).toBe(used.id);
    expect(await during.find(used.secret)).toBe(used.id);
    const made = await during.issue();
    expect(await before.find(made.secret)).toBe(made.id);
    const madeBefore = await before.issue();
    expect(await during.find(madeBefore.secret)).toBe(madeBefore.id);
    expect(await countKeysByPepper(database.pool)).toEqual(
      expect.arrayContaining([
        { pepperId: pepperId(NEW), keys: 3 },
        { pepperId: pepperId(OLD), keys: 1 },
      ]),
    );

    // The rotation ends: nothing opens with the old pepper but the key that was not used.
    expect(await forgetPreviousHashes(database.pool, pepperId(NEW), 100)).toBe(3);
    const after = edge(NEW);
    for (const { id, secret } of [used, made, madeBefore]) expect(await after.find(secret)).toBe(id);
    for (const { secret } of [used, made, madeBefore]) expect(await before.find(secret)).toBeUndefined();
    expect(await after.find(unused.secret)).toBeUndefined();
  });

  it('finds a key that was made before the pepper was stored, and rehashes it once', async () => {
    const { id, secret } = await edge(OLD).issue();
    await database.pool.query('UPDATE api_keys SET pepper_id = NULL WHERE id = $1', [id]);
    const during = edge(NEW, OLD);
    const found = await Promise.all(Array.from({ length: 5 }, () => during.find(secret)));
    expect(new Set(found)).toEqual(new Set([id]));
    expect(await edge(NEW).find(secret)).toBe(id);
    expect(await edge(OLD).find(secret)).toBe(id);
  });

  it('names the pepper of a key that was made before the pepper was stored, and changes nothing else', async () => {
    const { id, secret } = await edge(OLD).issue();
    await database.pool.query('UPDATE api_keys SET pepper_id = NULL WHERE id = $1', [id]);
    const before = await readRow(id);
    expect(await edge(OLD).find(secret)).toBe(id);
    const after = await readRow(id);
    expect(after).toEqual({ ...before, pepper_id: pepperId(OLD) });
  });

  it('finds no revoked key under any pepper', async () => {
    const { id, secret } = await edge(OLD).issue();
    await edge(NEW, OLD).find(secret);
    await database.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    expect(await edge(NEW, OLD).find(secret)).toBeUndefined();
    expect(await edge(OLD).find(secret)).toBeUndefined();
  });
});
