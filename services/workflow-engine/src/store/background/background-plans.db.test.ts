// Plans of the statements on background responses, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, it } from '@jest/globals';
import { FIRST_ID, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { backgroundLimits } from '../../domain/background/background-request.js';
import { expectPlan, type PlanCase, toId } from '../../testing/expect-plan.js';
import { putDiscard } from '../gen/background/background-discards.js';
import * as events from '../gen/background/background-events.js';
import * as queue from '../gen/background/background-queue.js';
import * as responses from '../gen/background/background-responses.js';
import { findDueBackground, leaseBackground, visitBackgroundAccounts } from '../gen/background/claim-background.js';
import { takeDiscards } from './background-discards.js';
import { takeWaitingHolds } from './background-holds.js';

let database: TestDatabase;
beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations, settings: QUEUE_SESSION_SETTINGS });
  // Ten responses of each of 2,000 projects, whose account and customer have the same id: due, leased, and ended ones.
  const statements = [
    `INSERT INTO background_responses (id, account_id, project_id, customer_id, principal, head, body, bytes, options, expires_at, due_at,
       lease_owner, lease_epoch, lease_until, ended_at, is_streamed, has_events, last_event, event_bytes, hold_due_at)
     SELECT md5('response' || n)::uuid, id, id, id, '', '{}', '{}', n % 3 * 200000, '{}', now() + interval '1 h', now() - interval '1 s',
       CASE n / 2000 WHEN 1 THEN id END, 1, CASE n / 2000 WHEN 1 THEN now() + interval '1 h' END, CASE WHEN n / 2000 > 6 THEN now() END,
       true, true, 1, 10, now() + interval '1 h'
     FROM generate_series(0, 19999) AS n, CAST(md5('owner' || n % 2000) AS uuid) AS id`,
    `INSERT INTO background_events (response_id, last_event, events) SELECT id, 1, '{}' FROM background_responses`,
    `INSERT INTO background_discards (id, principal, hold_ids, is_superseded, due_at)
     SELECT id, '', '{}', false, now() + interval '1 h' FROM background_responses`,
  ];
  for (const statement of statements) await database.pool.query(statement);
  await database.analyze();
});
afterAll(() => database.drop());

const KEY = ['background_responses_pkey'];
const OWNER = toId('owner1');
const project = { projectId: OWNER, customerId: OWNER };
const [waiting, leased] = [
  { ...project, id: toId('response1') },
  { id: toId('response2001'), epoch: 1 },
];
const created = {
  ...project,
  accountId: OWNER,
  principal: Buffer.from(''),
  traceparent: null,
  head: '{}',
  endedHead: null,
  body: '{}',
  bytes: 4,
  options: '{}',
  timeoutMs: 1,
  holdTtlMs: 1,
  isStreamed: true,
};
const max = { responsesMax: 1, bytesMax: 1, limit: 1 };
const due = { id: waiting.id, weight: 0, turn: 1n };

const cases: Record<string, PlanCase> = {
  'creates a response': {
    run: (db) => responses.insertBackground(db, { ...created, id: randomUUID() }),
    indexes: [],
    rowsMax: 0,
  },
  'adds up unfinished responses': {
    run: (db) => responses.isWithinLimits(db, { ...project, ...backgroundLimits, newResponses: 1, newBytes: 1 }),
    indexes: ['background_responses_unfinished'],
    rowsMax: 10,
  },
  'finds a response': { run: (db) => responses.findBackground(db, waiting), indexes: KEY, rowsMax: 1 },
  'finds a stream': { run: (db) => responses.findStream(db, waiting), indexes: KEY, rowsMax: 1 },
  'cancels a response': { run: (db) => responses.cancelBackground(db, waiting), indexes: KEY, rowsMax: 1 },
  'deletes a response': { run: (db) => responses.deleteBackground(db, waiting), indexes: KEY, rowsMax: 1 },
  'empties a response': {
    run: (db) => responses.emptyBackground(db, waiting),
    indexes: [...KEY, 'background_events_pkey'],
    rowsMax: 3,
  },
  'forbids a response': {
    run: (db) => responses.forbidBackground(db, { ...waiting, accountId: OWNER }),
    indexes: [],
    rowsMax: 0,
  },
  'prunes the responses of a caller': {
    run: (db) => responses.pruneCaller(db, { callerId: OWNER, ...max }),
    indexes: ['background_responses_caller', ...KEY],
    rowsMax: 10,
  },
  'prunes the responses of a project': {
    run: (db) => responses.pruneProject(db, { projectId: OWNER, ...max }),
    indexes: ['background_responses_project', ...KEY],
    rowsMax: 10,
  },
  'appends events': {
    run: (db) => events.appendEvents(db, { ...leased, after: 1, last: 2, events: '{}' }),
    indexes: KEY,
    rowsMax: 2,
  },
  'adds the events of an end': {
    run: (db) => events.insertEvents(db, { id: waiting.id, last: 2, events: '{}' }),
    indexes: KEY,
    rowsMax: 2,
  },
  'reads events': {
    run: (db) => events.readEventPage(db, { id: waiting.id, after: 0, bytes: 10 }),
    indexes: ['background_events_pkey'],
    rowsMax: 1,
  },
  'prunes the events of a project': {
    run: (db) => events.pruneEvents(db, { projectId: OWNER, bytesMax: 1, limit: 1 }),
    indexes: ['background_responses_project', ...KEY, 'background_events_pkey'],
    rowsMax: 10,
  },
  'stores a discard': {
    run: (db) =>
      putDiscard(db, { id: waiting.id, principal: Buffer.from(''), holdIds: [], isSuperseded: true, delayMs: 1 }),
    indexes: [],
    rowsMax: 0,
  },
  'takes discards': {
    run: (db) => takeDiscards(db, 5),
    indexes: ['background_discards_due', 'background_discards_pkey'],
    rowsMax: 10,
  },
  'takes holds': { run: (db) => takeWaitingHolds(db, 5), indexes: ['background_responses_holds', ...KEY], rowsMax: 10 },
  'visits accounts with due responses': {
    run: (db) => visitBackgroundAccounts(db, { after: FIRST_ID, accountConcurrency: 32 }),
    indexes: ['background_responses_due_accounts', 'background_responses_running'],
    rowsMax: 100,
  },
  'finds due responses': {
    run: (db) => findDueBackground(db, { ...backgroundLimits, accountIds: [OWNER], from: FIRST_ID }),
    indexes: ['background_responses_claimable', 'background_responses_running'],
    rowsMax: 100,
  },
  'leases responses': {
    run: (db) => leaseBackground(db, { ...backgroundLimits, bytes: 1_000, due: [due], owner: OWNER, leaseMs: 1 }),
    indexes: ['background_responses_leased', ...KEY],
    rowsMax: 100,
  },
  'extends leases': {
    run: (db) => queue.extendBackground(db, { ids: [leased.id], epochs: [1], owner: OWNER, leaseMs: 1 }),
    indexes: KEY,
    rowsMax: 3,
  },
  'reads the body of a response': { run: (db) => queue.readBackgroundBody(db, leased), indexes: KEY, rowsMax: 1 },
  'marks a response as dispatched': { run: (db) => queue.dispatchBackground(db, leased), indexes: KEY, rowsMax: 1 },
  'puts a response back': {
    run: (db) => queue.putBackBackground(db, { ...leased, delayMs: 1, next: 'same', counts: 'nothing' }),
    indexes: KEY,
    rowsMax: 1,
  },
  'ends a response': {
    run: (db) => queue.endBackground(db, { ...leased, status: 'completed', answer: null, error: null }),
    indexes: KEY,
    rowsMax: 1,
  },
};

it.each(Object.entries(cases))('reads few rows and through indexes: %s', (_, each) => expectPlan(database.pool, each));
