// Bounds of what a request can continue, and of what a caller can store. The rows are written directly: chains of a thousand
// answers take too long to ask for.
import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { createPool } from '@tollgate/postgres';
import type { Client } from '@tollgate/rpc';
import { systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import { InferenceSystem } from '../../testing/inference-system.js';
import { pruneStoredResponses } from '../../workers/prune-responses.js';
import { CHAIN_MAX } from './read-history.js';
import { ResponseLimits } from './response-limits.js';

const MIB = 1024 * 1024;

let system: InferenceSystem;
let client: Client<typeof StoredResponseService>;
let pool: pg.Pool;
/** Every test has a project of its own. */
let projectId: string;

beforeAll(async () => {
  system = await InferenceSystem.start();
  client = system.network.client(StoredResponseService);
  pool = createPool({ ...system.database, max: 2, onIdleError: () => undefined });
});
afterAll(async () => {
  await pool?.end();
  await system?.stop();
});
beforeEach(() => {
  projectId = randomUUID();
});

function call() {
  return system.call({ principal: create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId }) });
}

/** Stores a chain and returns the id of its last response. */
async function storeChain(length: number, bytes = 100, customerId: string | null = null): Promise<string> {
  const keys = Array.from({ length }, () => randomUUID());
  await pool.query(
    `INSERT INTO stored_responses (id, project_id, customer_id, response_id, previous_id, response, input_items,
                                   output_items, bytes, created_at, expires_at, kept_until)
     SELECT key, $2, $3, 'resp_' || key, lag(key) OVER (ORDER BY place), '{}', '[{"n":1}]', '[]', $4, now(),
            now() + interval '30 days', now() + interval '30 days'
       FROM unnest($1::uuid[]) WITH ORDINALITY AS made (key, place)`,
    [keys, projectId, customerId, bytes],
  );
  return `resp_${keys.at(-1)}`;
}

async function read(previousResponseId: string, itemIds: string[] = []): Promise<unknown[]> {
  const { itemsJson, hasPrevious } = await client.readHistory({ previousResponseId, itemIds }, call());
  expect(hasPrevious).toBe(true);
  return JSON.parse(Buffer.from(itemsJson).toString('utf8'));
}

async function countResponses(customerId: string | null): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM stored_responses
      WHERE project_id = $1 AND customer_id IS NOT DISTINCT FROM $2`,
    [projectId, customerId],
  );
  return rows[0]!.count;
}

const tooLong = (message: RegExp) => ({
  code: 'VALIDATION_ERROR',
  message: expect.stringMatching(message),
  vendorError: { shape: 'openai', code: 'context_length_exceeded' },
  fields: [{ field: 'previous_response_id', message: expect.stringMatching(message) }],
});

describe('the length of a chain', () => {
  it(`continues a chain of ${CHAIN_MAX} responses, and refuses a longer one before any item is read`, async () => {
    expect(await read(await storeChain(CHAIN_MAX))).toHaveLength(CHAIN_MAX);
    await expect(read(await storeChain(CHAIN_MAX + 1))).rejects.toMatchObject(tooLong(/more than 1000 responses/));
  });

  it('continues a chain of 32 MiB, and refuses a larger one', async () => {
    expect(await read(await storeChain(2, 16 * MIB))).toHaveLength(2);
    await expect(read(await storeChain(2, 16 * MIB + 1))).rejects.toMatchObject(tooLong(/larger than 33554432 bytes/));
  });

  it('refuses to list the input of a chain that is too long', async () => {
    const page = { limit: 1, after: '', isDescending: false };
    const asked = { responseId: await storeChain(CHAIN_MAX + 1), ...page };
    await expect(client.listInputItems(asked, call())).rejects.toMatchObject(tooLong(/too long/));
  });

  it('does not continue a chain whose start has been deleted', async () => {
    const last = await storeChain(3);
    await pool.query('DELETE FROM stored_responses WHERE project_id = $1 AND previous_id IS NULL', [projectId]);
    expect(await client.readHistory({ previousResponseId: last, itemIds: [] }, call())).toMatchObject({
      hasPrevious: false,
    });
  });

  it('refuses more than 10,000 references', async () => {
    const last = await storeChain(1);
    const ids = Array.from({ length: 10_001 }, (_, i) => `msg_${i}`);
    expect(await read(last, ids.slice(1))).toHaveLength(1);
    await expect(read(last, ids)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('10000 items'),
    });
  });
});

describe('items that a request names', () => {
  /** Stores a response with these output items. */
  async function storeOutput(items: readonly { id: string }[]): Promise<void> {
    const key = randomUUID();
    await pool.query(
      `INSERT INTO stored_responses (id, project_id, response_id, response, input_items, output_items, bytes, created_at,
                                     expires_at, kept_until)
       VALUES ($1, $2, $3, '{}', '[]', $4, 1, now(), now() + interval '30 days', now() + interval '30 days')`,
      [key, projectId, `resp_${key}`, JSON.stringify(items)],
    );
    await pool.query(
      `INSERT INTO stored_response_items (stored_response_id, position, item_id)
       SELECT $1, place - 1, item_id FROM unnest($2::text[]) WITH ORDINALITY AS made (item_id, place)`,
      [key, items.map(({ id }) => id)],
    );
  }

  async function readReferenced(itemIds: string[]): Promise<unknown[]> {
    const { referenced } = await client.readHistory({ previousResponseId: '', itemIds }, call());
    return referenced.map(({ itemJson }) => JSON.parse(Buffer.from(itemJson).toString('utf8')));
  }

  it.each(['a\0b', '\ud800', '\\u0000'])('returns one whose text is %j', async (text) => {
    const items = ['msg_1', 'msg_2'].map((id) => ({ id, content: [{ type: 'output_text', text }] }));
    await storeOutput(items);
    expect(await readReferenced(['msg_2'])).toEqual([items[1]]);
  });

  it('refuses items of more than 32 MiB together', async () => {
    await storeOutput(['a', 'b', 'c'].map((id) => ({ id, text: 'x'.repeat(12 * MIB) })));
    await storeOutput([{ id: 'd' }]);
    expect(await readReferenced(['a', 'c', 'd'])).toHaveLength(3);
    await expect(readReferenced(['a', 'b', 'c'])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('larger than 33554432 bytes'),
    });
  });

  it('finds nothing by ids that cannot be stored', async () => {
    await storeOutput([{ id: 'a' }]);
    expect(await readReferenced(['a', 'a\0', '\0'])).toEqual([{ id: 'a' }]);
    const asked = { previousResponseId: 'resp_\0', itemIds: [] };
    expect(await client.readHistory(asked, call())).toMatchObject({ hasPrevious: false });
  });
});

describe('the limits of a caller', () => {
  it('counts responses and bytes for each caller of its own', async () => {
    const [small, large, idle] = [randomUUID(), randomUUID(), randomUUID()];
    for (const customerId of [small, idle, null]) await storeChain(3, 100, customerId);
    await storeChain(3, 10_000, large);
    const responseLimits = new ResponseLimits();
    for (const customerId of [small, large]) responseLimits.note({ projectId, customerId });
    const storedResponses = { ttlMs: 1, responsesMax: 2, bytesMax: 10_000 };
    const config = { storedResponses } as never;
    await pruneStoredResponses({ pool, clock: systemClock, responseLimits, config });
    expect(await Promise.all([small, large, idle, null].map(countResponses))).toEqual([2, 1, 3, 3]);
  });
});
