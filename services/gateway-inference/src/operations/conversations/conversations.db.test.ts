import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ConversationService } from '@tollgate/contracts/inference/v1/conversations_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { createPool } from '@tollgate/postgres';
import type { Client } from '@tollgate/rpc';
import { type Clock, type JsonObject, systemClock } from '@tollgate/runtime';
import { collectRejections } from '@tollgate/testkit';
import type pg from 'pg';
import { InferenceSystem } from '../../testing/inference-system.js';
import { pruneStoredResponses } from '../../workers/prune-responses.js';
import { ResponseLimits } from '../responses/response-limits.js';

const DAY_MS = 86_400_000;
const TTL_DAYS = 30;
const NOT_FOUND = { code: 'NOT_FOUND' };

let system: InferenceSystem;
let client: Client<typeof ConversationService>;
let responses: Client<typeof StoredResponseService>;
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
  client = system.network.client(ConversationService);
  responses = system.network.client(StoredResponseService);
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

const as = (principal: Principal) => system.call({ principal });
const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const parse = (json: Uint8Array) => JSON.parse(Buffer.from(json).toString('utf8'));
const toMessage = (text: string, role = 'user'): JsonObject => ({ type: 'message', role, content: text });

async function start(items: JsonObject[] = [], who = project): Promise<string> {
  const { conversation } = await client.createConversation(
    { metadataJson: toBytes({ topic: 'tolls' }), itemsJson: toBytes(items) },
    as(who),
  );
  return conversation!.id;
}

async function add(conversationId: string, items: JsonObject[], sourceId: string = randomUUID(), who = project) {
  const { itemsJson } = await client.addItems({ conversationId, itemsJson: toBytes(items), sourceId }, as(who));
  return itemsJson.map(parse);
}

async function list(conversationId: string, more: { limit?: number; after?: string; isDescending?: boolean } = {}) {
  const page = { conversationId, limit: 1_000, after: '', isDescending: false, ...more };
  const { itemsJson, hasMore } = await client.listItems(page, as(project));
  return { items: itemsJson.map(parse), hasMore };
}

const texts = async (id: string) => {
  const { items } = await list(id);
  return items.map(({ content }: { content: { text: string }[] }) => content.map(({ text }) => text).join());
};

async function read(conversationId: string, who = project) {
  const asked = { previousResponseId: '', itemIds: [], conversationId };
  const { hasConversation, conversationKey, itemsJson } = await responses.readHistory(asked, as(who));
  return { hasConversation, conversationKey, items: parse(itemsJson) as JsonObject[] };
}

interface TurnOptions {
  holdId?: string;
  who?: Principal;
  isUnlisted?: boolean;
  whileRunning?: () => Promise<unknown>;
}

/** Asks in a conversation, as the edge does: with its items. */
async function ask(conversation: string, text: string, options: TurnOptions = {}) {
  const { holdId = randomUUID(), who = project, isUnlisted = false, whileRunning } = options;
  const { conversationKey, items } = await read(conversation, who);
  await whileRunning?.();
  const storage = { previousKey: '', historyItems: items.length, conversationKey, isUnlisted };
  const body = { input: [...items, toMessage(text)], conversation };
  return system.answer(body, { dialect: Dialect.OPENAI_RESPONSES, principal: who, holdId, storage });
}

const discard = (holdId: string) => responses.discardAttempt({ holdId }, as(project));
const getResponse = (responseId: string) => responses.getResponse({ responseId }, as(project));

/** One pass of the worker for the test's callers. */
async function prune(limits: { responsesMax?: number; bytesMax?: number } = {}): Promise<void> {
  const responseLimits = new ResponseLimits();
  for (const { projectId, customerId } of [project, customer])
    responseLimits.note({ projectId, customerId: customerId || null });
  const storedResponses = { ttlMs: TTL_DAYS * DAY_MS, responsesMax: 10_000, bytesMax: 1e9, ...limits };
  await pruneStoredResponses({ pool, clock, responseLimits, config: { storedResponses } as never });
}

describe('an id of an item that cannot be stored', () => {
  it('gives way to a made one', async () => {
    const ids = ['msg_\0', '\ud800', '\ud801'];
    const items = ids.map((id) => ({ ...toMessage('hi'), id }));
    const added: JsonObject[] = await add(await start(), items);
    const made = added.map(({ id }) => id);
    expect(new Set(made).size).toBe(3);
    for (const id of made) expect(id).toMatch(/^msg_[0-9a-f]{32}_\d$/);
  });
});

describe('a conversation', () => {
  it('returns what it was created with, and new metadata', async () => {
    const id = await start([toMessage('hello')]);
    expect(id).toMatch(/^conv_[0-9a-f]{32}$/);
    const { conversation } = await client.getConversation({ conversationId: id }, as(project));
    expect(parse(conversation!.metadataJson)).toEqual({ topic: 'tolls' });
    const change = { conversationId: id, metadataJson: toBytes({ topic: 'bridges' }) };
    const updated = await client.updateConversation(change, as(project));
    expect(parse(updated.conversation!.metadataJson)).toEqual({ topic: 'bridges' });
    expect(updated.conversation!.createdAtMs).toBe(conversation!.createdAtMs);
    expect(await texts(id)).toEqual(['hello']);
  });

  it('loses its items when it is deleted, while its responses stay', async () => {
    const id = await start([toMessage('hello')]);
    const response = await ask(id, 'one');
    await client.deleteConversation({ conversationId: id }, as(project));
    await expect(client.getConversation({ conversationId: id }, as(project))).rejects.toMatchObject(NOT_FOUND);
    await expect(client.deleteConversation({ conversationId: id }, as(project))).rejects.toMatchObject(NOT_FOUND);
    expect(await read(id)).toMatchObject({ hasConversation: false, items: [] });
    const key = id.replace('conv_', '');
    const { rows } = await pool.query('SELECT 1 FROM conversation_items WHERE conversation_id = $1', [key]);
    expect(rows).toEqual([]);
    expect(parse((await getResponse(response.id)).responseJson).conversation).toEqual({ id });
  });

  it.each(['conv_', 'conv_zz', 'thread_1', `conv_${'0'.repeat(32)}`])(
    'returns NOT_FOUND for %s',
    async (conversationId) => {
      await expect(client.getConversation({ conversationId }, as(project))).rejects.toMatchObject(NOT_FOUND);
      expect(await read(conversationId)).toMatchObject({ hasConversation: false, conversationKey: '' });
    },
  );
});

describe('the list of items', () => {
  it('pages in both orders, and gives each item an id', async () => {
    const id = await start([toMessage('1'), toMessage('2', 'assistant')]);
    await add(id, [toMessage('3'), { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' }]);
    const { items } = await list(id);
    expect(items[0]).toMatchObject({ role: 'user', status: 'completed', content: [{ type: 'input_text', text: '1' }] });
    expect(items[1]).toMatchObject({ content: [{ type: 'output_text', text: '2' }] });
    expect(items[3]).toEqual({ type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' });
    for (const isDescending of [false, true]) {
      const paged = [];
      for (let after = ''; ; after = paged.at(-1).id) {
        const page = await list(id, { limit: 1, after, isDescending });
        paged.push(...page.items);
        if (!page.hasMore) break;
      }
      expect(paged).toEqual(isDescending ? [...items].reverse() : items);
    }
    await expect(list(id, { after: 'msg_other' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('gives each item an id that no other item of the conversation has', async () => {
    const twin = { ...toMessage('twin'), id: 'msg_1' };
    const id = await start([twin, twin]);
    const [added] = await add(id, [twin]);
    const ids = (await list(id)).items.map((item) => item.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toEqual(['msg_1', expect.stringMatching(/^msg_[0-9a-f]{32}_1$/), added.id]);
    expect(await list(await start([twin]))).toMatchObject({ items: [{ id: 'msg_1' }] });
  });

  it('returns and deletes items one by one', async () => {
    const id = await start([toMessage('1'), toMessage('2'), toMessage('3')]);
    const { items } = await list(id);
    const place = { conversationId: id, itemId: items[1].id };
    expect(parse((await client.getItem(place, as(project))).itemJson)).toEqual(items[1]);
    expect((await client.deleteItem(place, as(project))).conversation!.id).toBe(id);
    await expect(client.getItem(place, as(project))).rejects.toMatchObject(NOT_FOUND);
    await expect(client.deleteItem(place, as(project))).rejects.toMatchObject(NOT_FOUND);
    expect(await texts(id)).toEqual(['1', '3']);
    await add(id, [toMessage('4')]);
    expect(await texts(id)).toEqual(['1', '3', '4']);
  });

  it('takes the items of one attempt once', async () => {
    const id = await start();
    const sourceId = randomUUID();
    const [first, second] = [await add(id, [toMessage('1')], sourceId), await add(id, [toMessage('1')], sourceId)];
    expect(second).toEqual(first);
    expect(await texts(id)).toEqual(['1']);
  });
});

describe('a turn in a conversation', () => {
  it('reads the items before it, and adds its input and its output', async () => {
    const id = await start([toMessage('be brief', 'system')]);
    const first = await ask(id, 'one');
    expect(first).toMatchObject({ conversation: { id }, store: true, previous_response_id: null });
    await ask(id, 'two');
    expect(await texts(id)).toEqual(['be brief', 'one', 'Echo: one', 'two', 'Echo: two']);
    expect((await read(id)).items).toHaveLength(5);
    expect(parse((await getResponse(first.id)).responseJson)).toEqual(first);
  });

  it('adds its items before the end of its stream is sent', async () => {
    const id = await start();
    const { conversationKey } = await read(id);
    const storage = { previousKey: '', historyItems: 0, conversationKey };
    const body = { input: 'hi', conversation: { id } };
    const options = { dialect: Dialect.OPENAI_RESPONSES, principal: project, holdId: randomUUID(), storage };
    const events = (await system.events(body, options)).map((event) => JSON.parse(event));
    for (const event of [events[0], events.at(-1)]) expect(event.response.conversation).toEqual({ id });
    expect(await texts(id)).toEqual(['hi', 'Echo: hi']);
  });

  it('keeps the items of turns at the same time together, and loses none', async () => {
    const id = await start();
    const names = Array.from({ length: 20 }, (_, i) => `turn ${i}`);
    await Promise.all(names.map((name) => ask(id, name)));
    const found = await texts(id);
    expect(found).toHaveLength(40);
    const pairs = found.flatMap((text, i) => (i % 2 === 0 ? [[text, found[i + 1]]] : []));
    expect(pairs).toEqual(expect.arrayContaining(names.map((name) => [name, `Echo: ${name}`])));
  });

  it('adds nothing when it fails', async () => {
    const id = await start();
    await expect(ask(id, 'fail with 500')).rejects.toThrow();
    expect(await texts(id)).toEqual([]);
  });

  it('stays in it although its response is not stored', async () => {
    const id = await start();
    const answer = await ask(id, 'one', { isUnlisted: true });
    expect(answer).toMatchObject({ store: false, conversation: { id } });
    await expect(getResponse(answer.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await texts(id)).toEqual(['one', 'Echo: one']);
  });

  it('belongs to no conversation when that is deleted while it runs', async () => {
    const id = await start();
    const remove = () => client.deleteConversation({ conversationId: id }, as(project));
    const answer = await ask(id, 'one', { whileRunning: remove });
    expect(answer).not.toHaveProperty('conversation');
    expect(parse((await getResponse(answer.id)).responseJson)).toEqual(answer);
  });

  it('refuses to be continued by the id of its response, which does not have the items before it', async () => {
    const id = await start();
    const answer = await ask(id, 'one');
    const asked = { previousResponseId: answer.id, itemIds: [], conversationId: '' };
    const message = expect.stringContaining(`conversation: ${id}`);
    await expect(responses.readHistory(asked, as(project))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'previous_response_id', message }],
    });
  });
});

describe('a superseded attempt', () => {
  it('leaves nothing in the conversation', async () => {
    const id = await start([toMessage('before')]);
    const holdId = randomUUID();
    const answer = await ask(id, 'lost', { holdId });
    await discard(holdId);
    expect(await texts(id)).toEqual(['before']);
    await expect(getResponse(answer.id)).rejects.toMatchObject(NOT_FOUND);
    await ask(id, 'again');
    expect(await texts(id)).toEqual(['before', 'again', 'Echo: again']);
  });

  it('adds nothing when it ends after the repeat', async () => {
    const id = await start();
    const holdId = randomUUID();
    const answer = await ask(id, 'lost', { holdId, whileRunning: () => discard(holdId) });
    expect(answer).toMatchObject({ store: false });
    expect(answer).not.toHaveProperty('conversation');
    expect(await texts(id)).toEqual([]);
  });
});

describe('the isolation of conversations', () => {
  it('hides a conversation from other projects, and from customers that did not create it', async () => {
    const ours = await start([{ ...toMessage('ours'), id: 'msg_ours' }]);
    const theirs = await start([{ ...toMessage('theirs'), id: 'msg_theirs' }], customer);
    const neighbor = create(PrincipalSchema, { ...customer, customerId: randomUUID() });
    const stranger = create(PrincipalSchema, { ...project, projectId: randomUUID() });
    const sameCustomerElsewhere = create(PrincipalSchema, { ...customer, projectId: randomUUID() });
    for (const [conversationId, itemId, others] of [
      [ours, 'msg_ours', [customer, neighbor, stranger]],
      [theirs, 'msg_theirs', [neighbor, stranger, sameCustomerElsewhere]],
    ] as const) {
      for (const other of others.map(as)) {
        const page = { conversationId, limit: 10, after: '', isDescending: false };
        const items = { conversationId, itemsJson: toBytes([toMessage('x')]), sourceId: randomUUID() };
        const attempts = [
          client.getConversation({ conversationId }, other),
          client.updateConversation({ conversationId, metadataJson: toBytes({}) }, other),
          client.deleteConversation({ conversationId }, other),
          client.addItems(items, other),
          client.listItems(page, other),
          client.getItem({ conversationId, itemId }, other),
          client.deleteItem({ conversationId, itemId }, other),
        ];
        for (const error of await collectRejections(attempts)) expect(error).toMatchObject(NOT_FOUND);
      }
      for (const other of others)
        expect(await read(conversationId, other)).toEqual({ hasConversation: false, conversationKey: '', items: [] });
    }
    expect([await texts(ours), await texts(theirs)]).toEqual([['ours'], ['theirs']]);
    await ask(theirs, 'mine', { who: customer });
    expect(await texts(theirs)).toEqual(['theirs', 'mine', 'Echo: mine']);
  });
});

describe('the retention of conversations', () => {
  it('hides a conversation that was not used for the time to live, and deletes it', async () => {
    const [used, unused] = [await start(), await start([toMessage('x')])];
    late = 20 * DAY_MS;
    await ask(used, 'one');
    late = TTL_DAYS * DAY_MS + 60_000;
    await expect(list(unused)).rejects.toMatchObject(NOT_FOUND);
    await expect(add(unused, [toMessage('late')])).rejects.toMatchObject(NOT_FOUND);
    expect(await read(unused)).toMatchObject({ hasConversation: false });
    await prune();
    expect((await read(used)).items).toHaveLength(2);
    const { rows } = await pool.query('SELECT id FROM conversations WHERE project_id = $1', [project.projectId]);
    expect(rows).toHaveLength(1);
    late = 51 * DAY_MS;
    expect(await read(used)).toMatchObject({ hasConversation: false });
  });

  it('deletes what a caller has beyond its limits, the conversation used longest ago first', async () => {
    const theirs = await start([toMessage('theirs')], customer);
    const [old, first, second] = [await start([toMessage('a')]), await start([toMessage('b')]), await start()];
    late = DAY_MS;
    for (const id of [first, second]) await add(id, [toMessage('again')]);
    await prune({ responsesMax: 2 });
    expect((await read(old)).hasConversation).toBe(false);
    expect([await texts(first), await texts(second)]).toEqual([['b', 'again'], ['again']]);
    expect(await texts(theirs)).toEqual(['theirs']);
    await prune({ bytesMax: 1 });
    expect((await read(first)).hasConversation).toBe(false);
  });

  it.each([
    ['10,000 items', { items: 10_000 }, { items: 10_001 }],
    ['32 MiB', { bytes: 32 * 1024 * 1024 }, { bytes: 32 * 1024 * 1024 + 1 }],
  ])('has a bound of %s for turns and for further items', async (_bound, full, beyond) => {
    const id = await start([toMessage('x')]);
    const set = (counts: { items?: number; bytes?: number }) =>
      pool.query(
        'UPDATE conversations SET items = coalesce($2, items), bytes = coalesce($3, bytes) WHERE project_id = $1',
        [project.projectId, counts.items, counts.bytes],
      );
    await set(full);
    expect((await read(id)).items).toHaveLength(1);
    await expect(add(id, [toMessage('y')])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'items' }],
    });
    await set(beyond);
    await expect(read(id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      vendorError: { shape: 'openai', code: 'context_length_exceeded' },
    });
  });
});
