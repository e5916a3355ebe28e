import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST_ID, type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { backgroundLimits } from '../../domain/background/background-request.js';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import { EventLog } from '../../execution/background/event-log.js';
import {
  appendBackgroundEvents,
  insertBackgroundEvents,
  pruneBackgroundEvents,
  readBackgroundEvents,
} from './background-events.js';
import { type BackgroundItem, backgroundQueue, endBackground } from './background-queue.js';
import { deleteOfCustomer, findStream, insertBackground, purgeBackground } from './background-responses.js';

const project = randomUUID();
const customer = randomUUID();
const owner = { projectId: project, customerId: customer };

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('DELETE FROM background_responses'));

const toEvents = (from: number, count: number, size = 10): ReaderEvent[] =>
  Array.from({ length: count }, (_, i) => {
    const seq = from + i;
    return { seq, type: 't', json: JSON.stringify({ type: 't', sequence_number: seq, text: 'x'.repeat(size) }) };
  });

let count = 0;

/** Queues a streamed response with its first two events. Later ones have higher ids. */
async function add(): Promise<string> {
  count += 1;
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const limits = { timeoutMs: 60_000, holdTtlMs: 60_000, bytes: 1, isStreamed: true };
  const texts = { head: '{}', endedHead: undefined, body: '{}', options: '{}', traceparent: undefined };
  const response = { id, accountId: project, ...owner, principal: Buffer.from(''), ...limits, ...texts };
  await withTransaction(database.pool, async (tx) => {
    await insertBackground(tx, response);
    await insertBackgroundEvents(tx, id, toEvents(0, 2));
  });
  return id;
}

async function claim(): Promise<BackgroundItem> {
  const lease = { owner: randomUUID(), leaseMs: 60_000 };
  const concurrency = { slots: 100, accountConcurrency: 100, callerConcurrency: 100, smallBytes: 10 };
  const bytes = { bytes: 1_000, accountBytes: 1_000, callerBytes: 1_000, requestBytes: 1_000 };
  const bounds = { ...concurrency, ...bytes };
  const { items } = await withTransaction(database.pool, (tx) => backgroundQueue.claim(tx, lease, bounds, FIRST_ID));
  return items[0]!;
}

const end = (item: BackgroundItem) =>
  endBackground(database.pool, item, { status: 'completed', answer: '{}', error: undefined });
const read = async (id: string, after = -1) => (await readBackgroundEvents(database.pool, id, after)).events;
const toSeqs = (events: readonly ReaderEvent[]) => events.map(({ seq }) => seq);
const countRows = async () => (await database.pool.query('SELECT 1 FROM background_events')).rows.length;

describe('an append', () => {
  it('adds events behind the last one, and what the next lease continues', async () => {
    const id = await add();
    const item = await claim();
    expect(item).toMatchObject({ id, isStreamed: true, lastEvent: 1 });
    expect(await appendBackgroundEvents(database.pool, item, 1, toEvents(2, 3))).toBe(true);
    expect(await read(id)).toEqual(toEvents(0, 5));
    expect(toSeqs(await read(id, 2))).toEqual([3, 4]);
    await backgroundQueue.putBack(database.pool, item, { delayMs: 0, next: 'same', counts: 'nothing' });
    const next = await claim();
    expect(next).toMatchObject({ id, lastEvent: 4 });
    expect(next.eventBytes).toBeGreaterThan(item.eventBytes);
  });

  it('changes nothing twice, out of order, under a lost lease, or after the end', async () => {
    const id = await add();
    const lost = await claim();
    await backgroundQueue.putBack(database.pool, lost, { delayMs: 0, next: 'same', counts: 'nothing' });
    const held = await claim();
    const append = (item: BackgroundItem, after: number) =>
      appendBackgroundEvents(database.pool, item, after, toEvents(after + 1, 1));
    expect(await append(lost, 1)).toBe(false);
    expect(await append(held, 1)).toBe(true);
    expect(await append(held, 1)).toBe(false);
    expect(await append(held, 5)).toBe(false);
    await end(held);
    expect(await append(held, 2)).toBe(false);
    expect(toSeqs(await read(id))).toEqual([0, 1, 2]);
  });
});

describe('the log of an attempt', () => {
  const delta = (text: string) => JSON.stringify({ type: 'response.output_text.delta', output_index: 0, delta: text });
  const open = (item: BackgroundItem, pool = database.pool) => {
    const appended: number[] = [];
    const onAppended = (_id: string, events: readonly ReaderEvent[]) => void appended.push(...toSeqs(events));
    return { log: new EventLog({ pool, onAppended }, item), appended };
  };

  it('joins events, and stores all of them before it returns the last response', async () => {
    const id = await add();
    const { log, appended } = open(await claim());
    for (const text of ['a', 'b', 'c']) expect(await log.take(delta(text))).toBeUndefined();
    const last = await log.take(JSON.stringify({ type: 'response.completed', response: { id: 'x' } }));
    expect(last).toBe('{"id":"x"}');
    expect(appended).toEqual([2, 3, 4]);
    expect(toSeqs(await read(id))).toEqual([0, 1, 2, 3, 4]);
    expect(await countRows()).toBe(2);
  });

  it('leaves out all events from the first that exceeds the bound', async () => {
    const id = await add();
    const item = await claim();
    const { log } = open(item);
    const large = 'x'.repeat(1024 * 1024);
    for (let size = 0; size <= backgroundLimits.eventBytes; size += large.length) await log.take(delta(large));
    await log.take(delta('small'));
    await log.flush();
    const { rows } = await database.pool.query('SELECT event_bytes, last_event FROM background_responses');
    expect(rows[0].event_bytes).toBeLessThanOrEqual(backgroundLimits.eventBytes);
    expect(rows[0].last_event).toBe(16);
    const pages: number[] = [];
    for (let after = -1; ; after = pages.at(-1)!) {
      const { events, mayHaveMore } = await readBackgroundEvents(database.pool, id, after);
      pages.push(...toSeqs(events));
      if (!mayHaveMore) break;
      expect(events.length).toBeLessThan(6);
    }
    expect(pages).toEqual(Array.from({ length: 17 }, (_, i) => i));
    expect(await log.take(JSON.stringify({ type: 'response.completed', response: 1 }))).toBe('1');
  });

  it('bounds the number of events', async () => {
    await add();
    const { log, appended } = open({ ...(await claim()), lastEvent: backgroundLimits.events - 2 });
    await database.pool.query('UPDATE background_responses SET last_event = $1', [backgroundLimits.events - 2]);
    for (const text of ['a', 'b']) await log.take(delta(text));
    await log.flush();
    expect(appended).toEqual([backgroundLimits.events - 1]);
  });

  it('stores nothing once the lease is lost, and returns the last response nevertheless', async () => {
    const id = await add();
    const item = await claim();
    await backgroundQueue.putBack(database.pool, item, { delayMs: 0, next: 'same', counts: 'nothing' });
    const { log, appended } = open(item);
    await log.take(delta('a'));
    await log.flush();
    await log.take(delta('b'));
    expect(await log.take(JSON.stringify({ type: 'response.failed', response: 1 }))).toBe('1');
    expect(appended).toEqual([]);
    expect(toSeqs(await read(id))).toEqual([0, 1]);
  });

  it('keeps events that could not be stored for the next write', async () => {
    const id = await add();
    const item = await claim();
    await database.pool.query('ALTER TABLE background_events RENAME TO unavailable_events');
    const { log, appended } = open(item);
    await log.take(delta('a'));
    await log.flush();
    expect(appended).toEqual([]);
    await database.pool.query('ALTER TABLE unavailable_events RENAME TO background_events');
    await log.take(delta('b'));
    await log.flush();
    expect(toSeqs(await read(id))).toEqual([0, 1, 2, 3]);
  });
});

describe('the end of events', () => {
  it('makes room for the latest responses of a project, and leaves those that run', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await add());
      const item = await claim();
      await appendBackgroundEvents(database.pool, item, 1, toEvents(2, 1, 1_000));
      if (i < 2) await end(item);
    }
    await database.pool.query('UPDATE background_responses SET ended_at = now() WHERE ended_at IS NOT NULL');
    await pruneBackgroundEvents(database.pool, project, 1_500, 10);
    expect(await read(ids[0]!)).toEqual([]);
    expect(await findStream(database.pool, owner, ids[0]!)).toMatchObject({ is_streamed: true, has_events: false });
    for (const id of ids.slice(1)) expect(await read(id)).toHaveLength(3);
    await pruneBackgroundEvents(database.pool, randomUUID(), 0, 10);
    expect(await read(ids[1]!)).toHaveLength(3);
  });

  it('comes with that of their response, and of their customer', async () => {
    await add();
    await end(await claim());
    await database.pool.query(`UPDATE background_responses SET ended_at = now() - interval '1 hour'`);
    await purgeBackground(database.pool, 60_000, 10);
    expect(await countRows()).toBe(0);
    await add();
    await withTransaction(database.pool, (tx) => deleteOfCustomer(tx, customer, 10));
    expect(await countRows()).toBe(0);
  });
});
