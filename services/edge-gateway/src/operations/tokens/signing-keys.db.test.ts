import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { loadStoredKeyRing, PUBLISH_LEAD_MS, resealSigningKeys, rotateStoredSigningKey } from './signing-keys.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});

afterAll(() => database.drop());

beforeEach(async () => {
  await database.pool.query('TRUNCATE signing_keys');
});

const load = (now: Date) => loadStoredKeyRing(database.pool, { current: 'pepper', previous: undefined }, now);
const listKids = (ring: Awaited<ReturnType<typeof load>>) => ring.jwks.keys.map((key) => key.kid).sort();

describe('stored signing keys', () => {
  it('names KEY_PEPPER when the database was used with another one', async () => {
    await load(new Date());
    for (const previous of [undefined, 'third'])
      await expect(loadStoredKeyRing(database.pool, { current: 'other', previous }, new Date())).rejects.toThrow(
        /^KEY_PEPPER is not the one of this database.*KEY_PEPPER_PREVIOUS/,
      );
    expect(await loadStoredKeyRing(database.pool, { current: 'other', previous: 'pepper' }, new Date())).toBeDefined();
  });

  it('creates one key when several replicas start on an empty table', async () => {
    const now = new Date();
    const rings = await Promise.all(Array.from({ length: 5 }, () => load(now)));
    expect(new Set(rings.map((ring) => ring.signing.kid)).size).toBe(1);
    expect((await load(now)).jwks.keys).toHaveLength(1);
  });

  it('publishes a successor before it signs, and the old key afterwards', async () => {
    const now = new Date();
    const old = (await load(now)).signing.kid;
    const { kid } = await rotateStoredSigningKey(database.pool, { current: 'pepper', previous: undefined }, now);
    const during = await load(now);
    expect(during.signing.kid).toBe(old);
    expect(listKids(during)).toEqual([old, kid].sort());
    const after = await load(new Date(now.getTime() + PUBLISH_LEAD_MS));
    expect(after.signing.kid).toBe(kid);
    expect(listKids(after)).toEqual([old, kid].sort());
  });

  it('stops publishing a key when its last token has expired', async () => {
    const now = new Date();
    await load(now);
    const { kid } = await rotateStoredSigningKey(database.pool, { current: 'pepper', previous: undefined }, now);
    await database.pool.query(
      "UPDATE signing_keys SET retires_at = now() - interval '1 s' WHERE retires_at IS NOT NULL",
    );
    expect(listKids(await load(new Date(now.getTime() + PUBLISH_LEAD_MS)))).toEqual([kid]);
  });

  it('rejects another pepper', async () => {
    await load(new Date());
    await expect(
      loadStoredKeyRing(database.pool, { current: 'another', previous: undefined }, new Date()),
    ).rejects.toThrow();
  });

  it('opens keys under the previous pepper, and under the new one alone after they were resealed', async () => {
    const [old, both] = [
      { current: 'pepper', previous: undefined },
      { current: 'new pepper', previous: 'pepper' },
    ];
    const now = new Date();
    await load(now);
    const { kid } = await rotateStoredSigningKey(database.pool, both, now);
    expect(listKids(await loadStoredKeyRing(database.pool, both, now))).toContain(kid);
    expect(listKids(await loadStoredKeyRing(database.pool, old, now))).toContain(kid);
    expect(await resealSigningKeys(database.pool, both)).toBeGreaterThan(0);
    const alone = { current: 'new pepper', previous: undefined };
    expect(listKids(await loadStoredKeyRing(database.pool, alone, now))).toContain(kid);
    await expect(loadStoredKeyRing(database.pool, old, now)).rejects.toThrow();
  });
});
