import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { createPool } from '@tollgate/postgres';
import type { Client } from '@tollgate/rpc';
import { type Clock, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import { InferenceSystem } from '../../testing/inference-system.js';
import { pruneStoredResponses } from '../../workers/prune-responses.js';
import { ResponseLimits } from './response-limits.js';

const DAY_MS = 86_400_000;
const TTL_DAYS = 30;

let system: InferenceSystem;
let client: Client<typeof StoredResponseService>;
let pool: pg.Pool;
let late = 0;
/** Every test has a project of its own. */
let project: Principal;
let customer: Principal;

const clock: Clock = {
  ...systemClock,
  now: () => new Date(Date.now() + late),
  nowMs: () => Date.now() + late,
};

beforeAll(async () => {
  system = await InferenceSystem.start({}, { clock });
  client = system.network.client(StoredResponseService);
  pool = createPool({ ...system.database, max: 2, onIdleError: () => undefined });
});
afterAll(async () => {
  await pool?.end();
  await system?.stop();
});
beforeEach(() => {
  late = 0;
  const projectId = randomUUID();
  project = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId });
  customer = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, projectId, customerId: randomUUID() });
});

interface Stored {
  id: string;
  key: string;
  output: { id: string }[];
}

/** Asks and stores, as the edge does: with the items of the response before. */
async function ask(text: string, who = project, previous?: Stored): Promise<Stored> {
  const history = previous ? await read(previous.id, who) : { items: [], previousKey: '' };
  const holdId = randomUUID();
  const own = { type: 'message', role: 'user', content: text };
  const body = { input: [...history.items, own], ...(previous && { previous_response_id: previous.id }) };
  const storage = { previousKey: history.previousKey, historyItems: history.items.length };
  const options = { dialect: Dialect.OPENAI_RESPONSES, principal: who, holdId, storage };
  const { id, output, store, previous_response_id: before } = await system.answer(body, options);
  expect([store, before]).toEqual([true, previous?.id ?? null]);
  return { id, key: holdId, output };
}

async function read(previousResponseId: string, who = project, itemIds: string[] = []) {
  const found = await client.readHistory({ previousResponseId, itemIds }, system.call({ principal: who }));
  const items = JSON.parse(Buffer.from(found.itemsJson).toString()) as Record<string, unknown>[];
  const referenced = found.referenced.map(({ itemJson }) => JSON.parse(Buffer.from(itemJson).toString()));
  return { items, previousKey: found.previousKey, hasPrevious: found.hasPrevious, referenced };
}

async function get(responseId: string, who = project) {
  const { responseJson } = await client.getResponse({ responseId }, system.call({ principal: who }));
  return JSON.parse(Buffer.from(responseJson).toString());
}

async function list(responseId: string, more: { limit?: number; after?: string; isDescending?: boolean } = {}) {
  const page = { limit: 100, after: '', isDescending: false, ...more };
  const { itemsJson, hasMore } = await client.listInputItems(
    { responseId, ...page },
    system.call({ principal: project }),
  );
  return { items: itemsJson.map((item) => JSON.parse(Buffer.from(item).toString())), hasMore };
}

const remove = (responseId: string, who = project) =>
  client.deleteResponse({ responseId }, system.call({ principal: who }));
const texts = (items: Record<string, unknown>[]) => items.map(({ content }) => JSON.stringify(content));
const notFound = { code: 'NOT_FOUND' };

async function countRows(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM stored_responses WHERE project_id = $1',
    [project.projectId],
  );
  return rows[0]!.count;
}

/** One pass of the worker for the test's project. */
async function prune(limits: { responsesMax?: number; bytesMax?: number } = {}): Promise<void> {
  const responseLimits = new ResponseLimits();
  for (const { projectId } of [project]) responseLimits.note({ projectId, customerId: null });
  const storedResponses = { ttlMs: TTL_DAYS * DAY_MS, responsesMax: 10_000, bytesMax: 1e9, ...limits };
  await pruneStoredResponses({ pool, clock, responseLimits, config: { storedResponses } as never });
}

describe('a stored response', () => {
  it('returns the answer that the client got, before its end was sent', async () => {
    const asked = { input: 'hi', metadata: { a: 'b' } };
    const options = { dialect: Dialect.OPENAI_RESPONSES, principal: project, holdId: randomUUID() };
    const answer = await system.answer(asked, { ...options, storage: { previousKey: '', historyItems: 0 } });
    expect(await get(answer.id)).toEqual(answer);
    expect(answer).toMatchObject({ store: true, metadata: { a: 'b' }, output: [{ type: 'message' }] });
  });

  it('returns the answer that a stream has built', async () => {
    const options = { dialect: Dialect.OPENAI_RESPONSES, principal: project, holdId: randomUUID() };
    const storage = { previousKey: '', historyItems: 0 };
    const events = (await system.events({ input: 'hi' }, { ...options, storage })).map((event) => JSON.parse(event));
    expect(events[0].response.store).toBe(true);
    expect(await get(events.at(-1).response.id)).toEqual(events.at(-1).response);
  });

  it('has ids that the client does not choose, so that equal request ids are two responses', async () => {
    const ask = async (text: string) => {
      const storage = { previousKey: '', historyItems: 0 };
      const options = { dialect: Dialect.OPENAI_RESPONSES, principal: project, requestId: 'same', storage };
      return system.answer({ input: text }, { ...options, holdId: randomUUID() });
    };
    const [one, two] = [await ask('one'), await ask('two')];
    expect(one.output[0].id).not.toBe(two.output[0].id);
    expect(await get(one.id)).toEqual(one);
  });

  it('stores nothing when the request does not ask for it', async () => {
    const options = { dialect: Dialect.OPENAI_RESPONSES, principal: project, holdId: randomUUID() };
    const { id, store } = await system.answer({ input: 'hi' }, options);
    expect(store).toBe(false);
    await expect(get(id)).rejects.toMatchObject(notFound);
    expect(await countRows()).toBe(0);
  });

  it('returns the items of a conversation in order, and names the response before', async () => {
    const first = await ask('one');
    const second = await ask('two', project, first);
    const { items, previousKey } = await read(second.id);
    expect(texts(items)).toEqual([
      '"one"',
      JSON.stringify((first.output[0] as never as { content: unknown }).content),
      '"two"',
      expect.stringContaining('Echo: two'),
    ]);
    expect(previousKey).toBe(second.key);
  });

  it('continues in two directions', async () => {
    const first = await ask('one');
    const left = await ask('left', project, first);
    const right = await ask('right', project, first);
    expect(texts((await read(left.id)).items)).not.toContain('"right"');
    expect(texts((await read(right.id)).items)).toContain('"right"');
  });

  it('returns named items as they were answered', async () => {
    const { output } = await ask('one');
    const { referenced } = await read('', project, [output[0]!.id, 'msg_unknown']);
    expect(referenced).toEqual(output);
  });
});

describe('the isolation of stored responses', () => {
  it('hides a response from other projects, and from customers that did not ask for it', async () => {
    const ours = await ask('ours');
    const theirs = await ask('theirs', customer);
    const neighbor = create(PrincipalSchema, { ...customer, customerId: randomUUID() });
    const stranger = create(PrincipalSchema, { ...project, projectId: randomUUID() });
    const sameCustomerElsewhere = create(PrincipalSchema, { ...customer, projectId: randomUUID() });
    for (const [stored, others] of [
      [ours, [customer, neighbor, stranger]],
      [theirs, [neighbor, stranger, sameCustomerElsewhere]],
    ] as const) {
      for (const other of others) {
        await expect(get(stored.id, other)).rejects.toMatchObject(notFound);
        await expect(remove(stored.id, other)).rejects.toMatchObject(notFound);
        expect(await read(stored.id, other, [stored.output[0]!.id])).toEqual({
          ...{ hasPrevious: false, previousKey: '' },
          ...{ items: [], referenced: [] },
        });
      }
    }
    expect((await get(ours.id)).id).toBe(ours.id);
    expect((await get(theirs.id, customer)).id).toBe(theirs.id);
  });
});

describe('the input items of a response', () => {
  it('lists all that the model read, each with an id, in pages of both orders', async () => {
    const first = await ask('one');
    const second = await ask('two', project, first);
    const { items, hasMore } = await list(second.id);
    expect(hasMore).toBe(false);
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(items[1].id).toBe(first.output[0]!.id);
    expect(items[0].content).toEqual([{ type: 'input_text', text: 'one' }]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    const pages = [];
    for (let after = ''; ; ) {
      const page = await list(second.id, { limit: 1, after, isDescending: true });
      pages.push(...page.items);
      if (!page.hasMore) break;
      after = page.items.at(-1).id;
    }
    expect(pages).toEqual([...items].reverse());
  });

  it('refuses to continue after an item that is not in the list', async () => {
    const { id } = await ask('one');
    await expect(list(id, { after: 'msg_other' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a deleted response', () => {
  it('hides from reads and from requests that continue it', async () => {
    const { id } = await ask('one');
    await remove(id);
    await expect(get(id)).rejects.toMatchObject(notFound);
    await expect(remove(id)).rejects.toMatchObject(notFound);
    expect((await read(id)).hasPrevious).toBe(false);
    expect(await countRows()).toBe(0);
  });

  it('stays part of the responses that continue it, and is erased with the last of them', async () => {
    const first = await ask('one');
    const second = await ask('two', project, first);
    await remove(first.id);
    await expect(get(first.id)).rejects.toMatchObject(notFound);
    expect(await read('', project, [first.output[0]!.id])).toMatchObject({ referenced: [] });
    expect(texts((await read(second.id)).items)[0]).toBe('"one"');
    await remove(second.id);
    await prune();
    expect(await countRows()).toBe(0);
  });
});

describe('an attempt that was superseded', () => {
  const discard = (holdId: string) => client.discardAttempt({ holdId }, system.call({ principal: project }));
  const answer = (holdId: string, text = 'lost') =>
    system.answer(
      { input: text },
      { dialect: Dialect.OPENAI_RESPONSES, principal: project, holdId, storage: { previousKey: '', historyItems: 0 } },
    );

  it('leaves no response behind', async () => {
    const holdId = randomUUID();
    const { id } = await answer(holdId);
    await discard(holdId);
    await expect(get(id)).rejects.toMatchObject(notFound);
    expect(await countRows()).toBe(0);
  });

  it('stores nothing when it ends later', async () => {
    const holdId = randomUUID();
    await discard(holdId);
    expect(await answer(holdId)).toMatchObject({ store: false });
    expect(await countRows()).toBe(0);
    expect(await answer(randomUUID(), 'again')).toMatchObject({ store: true });
  });

  it('stores nothing when it ends at the same time', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const discarding = ids.map(async (holdId, i) => {
      for (let waited = 0; waited < i % 8; waited++) await get('x').catch(() => undefined);
      await discard(holdId);
    });
    await Promise.all([...ids.map((holdId) => answer(holdId)), ...discarding]);
    expect(await countRows()).toBe(0);
  });
});

describe('the retention of responses', () => {
  it('hides a response after its time to live, and deletes it', async () => {
    const { id, output } = await ask('one');
    late = TTL_DAYS * DAY_MS - 60_000;
    await prune();
    expect((await get(id)).id).toBe(id);
    late += 120_000;
    await expect(get(id)).rejects.toMatchObject(notFound);
    expect(await read(id, project, [output[0]!.id])).toMatchObject({ hasPrevious: false, referenced: [] });
    await prune();
    expect(await countRows()).toBe(0);
  });

  it('keeps the start of a conversation as long as its end', async () => {
    const first = await ask('one');
    late = 20 * DAY_MS;
    const second = await ask('two', project, first);
    late = 40 * DAY_MS;
    await prune();
    await expect(get(first.id)).rejects.toMatchObject(notFound);
    const third = await ask('three', project, second);
    late = 65 * DAY_MS;
    await prune();
    expect(texts((await read(third.id)).items)[0]).toBe('"one"');
  });

  it('deletes what a caller has beyond its limits, the conversation used longest ago first', async () => {
    const old = await ask('old');
    late = 2 * DAY_MS;
    const first = await ask('one');
    const second = await ask('two', project, first);
    await prune({ responsesMax: 2 });
    await expect(get(old.id)).rejects.toMatchObject(notFound);
    expect((await read(second.id)).items).toHaveLength(4);
    await prune({ bytesMax: 1 });
    expect(await countRows()).toBe(0);
  });
});
