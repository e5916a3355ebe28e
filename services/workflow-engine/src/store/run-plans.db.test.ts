// Plans of the statements on runs and their work, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, it } from '@jest/globals';
import { FIRST_ID, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { expectPlan, type PlanCase, toId } from '../testing/expect-plan.js';
import * as work from './gen/queues/run-work.js';
import { takeSessionMessages } from './gen/queues/session-messages.js';
import * as costs from './gen/queues/unknown-costs.js';

let database: TestDatabase;
beforeAll(async () => {
  const migrations = new URL('../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations, settings: QUEUE_SESSION_SETTINGS });
  // Ten runs of each of 2,000 projects, with one node, step and so on each; the work is due, leased, an alarm, or due later.
  const statements = [
    `INSERT INTO runs (run_id, project_id, plan_hash, status, principal, created_at, ended_at)
     SELECT md5('run' || n)::uuid, md5('project' || n % 2000)::uuid, 'p', CASE WHEN n < 10000 THEN 'running' ELSE 'succeeded' END, '',
       now(), CASE WHEN n >= 10000 THEN now() END
     FROM generate_series(0, 19999) AS n`,
    `INSERT INTO run_nodes (run_id, node_id, position, type, status, is_queued) SELECT run_id, 'a', 0, 'model', 'running', true FROM runs`,
    `INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, created_at)
     SELECT run_id, 'a', 0, 1, run_id, 'intent', now() FROM runs`,
    `INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
     SELECT md5('project' || n % 2000)::uuid, md5('run' || n)::uuid, 'a', CASE n / 2000 % 4 WHEN 2 THEN 'run_deadline' ELSE 'node' END,
       now() + CASE n / 2000 % 4 WHEN 0 THEN '-1 s'::interval ELSE '1 h' END, CASE n / 2000 % 4 WHEN 1 THEN md5('owner')::uuid END, 1,
       CASE n / 2000 % 4 WHEN 1 THEN now() + interval '1 h' END
     FROM generate_series(0, 19999) AS n ORDER BY n`,
    `INSERT INTO run_session_messages (run_id, session_id, content, due_at) SELECT run_id, run_id, '', now() + interval '1 h' FROM runs`,
    `INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
     SELECT run_id, run_id, 'a', 0, 1, now() + interval '1 h' FROM runs`,
    `UPDATE run_session_messages SET due_at = now() WHERE run_id = md5('run1')::uuid`,
    `UPDATE run_unknown_costs SET due_at = now() WHERE run_id = md5('run1')::uuid`,
    'ANALYZE',
  ];
  for (const statement of statements) await database.pool.query(statement);
});
afterAll(() => database.drop());

const OWNER = toId('owner');
const PROJECT = toId('project1');
const runId = toId('run1');
const [WORK, STEPS] = [['run_work_pkey'], ['run_steps_pkey']];
const step = { runId, nodeId: 'a', step: 0, attempt: 1 };
/** The lease of `run2001`. */
const held = { workId: 2002n, epoch: 1 };

const cases: Record<string, PlanCase> = {
  'claims work': {
    run: (db) => work.claimWork(db, { owner: OWNER, leaseMs: 1, max: 10, from: FIRST_ID }),
    indexes: ['run_work_ready', 'run_work_expiring', 'run_work_alarms', 'run_work_held', ...WORK, 'runs_pkey'],
    rowsMax: 500,
  },
  'extends leases of work': {
    run: (db) => work.extendWork(db, { workIds: [held.workId], epochs: [1], owner: OWNER, leaseMs: 1 }),
    indexes: WORK,
    rowsMax: 5,
  },
  'puts work back': {
    run: (db) => work.putBackWork(db, { ...held, delayMs: 1, counts: 'retry' }),
    indexes: WORK,
    rowsMax: 1,
  },
  'sets an alarm': {
    run: (db) =>
      work.insertAlarm(db, { projectId: PROJECT, runId, nodeId: 'a', kind: 'node_deadline', at: new Date(0) }),
    indexes: [],
    rowsMax: 0,
  },
  'takes messages of sessions': {
    run: (db) => takeSessionMessages(db, { limit: 5 }),
    indexes: ['run_session_messages_due', 'run_session_messages_pkey', 'runs_pkey'],
    rowsMax: 5,
  },
  'records unknown costs': {
    run: (db) => costs.recordUnknownCosts(db, { runId, isOver: true, nodeIds: [], delayMs: 1 }),
    indexes: STEPS,
    rowsMax: 2,
  },
  'records an unused hold': {
    run: (db) => costs.recordUnusedHold(db, { ...step, holdId: randomUUID() }),
    indexes: [],
    rowsMax: 0,
  },
  'takes unknown costs': {
    run: (db) => costs.takeUnknownCosts(db, { limit: 5 }),
    indexes: ['run_unknown_costs_due', 'run_unknown_costs_pkey', ...STEPS, 'runs_pkey'],
    rowsMax: 5,
  },
  'stores a known cost': {
    run: (db) => costs.storeKnownCost(db, { ...step, microcents: 1n, inputTokens: 1n, outputTokens: 1n }),
    indexes: STEPS,
    rowsMax: 1,
  },
};

it.each(Object.entries(cases))('reads few rows and through indexes: %s', (_, each) => expectPlan(database.pool, each));
