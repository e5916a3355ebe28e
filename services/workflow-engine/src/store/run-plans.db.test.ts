// Plans of the statements on runs and their work, in tables of 20,000 rows.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, it } from '@jest/globals';
import { FIRST_ID, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { expectPlan, type PlanCase, toId } from '../testing/expect-plan.js';
import { keepCompiled } from './gen/compiled-results.js';
import * as work from './gen/queues/run-work.js';
import { takeSessionMessages } from './gen/queues/session-messages.js';
import * as costs from './gen/queues/unknown-costs.js';
import { readTotals } from './gen/runs/agent-run-results.js';
import { insertRun, spawnNodes } from './gen/runs/insert-run.js';
import { purgeRuns } from './gen/runs/purge-runs.js';
import { appendRunEvents } from './gen/runs/run-events.js';
import { claimRunKey, takeRunKeyOver } from './gen/runs/run-keys.js';
import { writeRuns } from './gen/runs/write-runs.js';
import { listStepKeys, readStepRecords, readStepResults } from './gen/steps/read-steps.js';
import * as steps from './gen/steps/run-steps.js';
import { insertToolResult } from './gen/steps/tool-results.js';

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
    `INSERT INTO run_events (run_id, seq, ts, type, body) SELECT run_id, 9, now(), 'run.started', '{}' FROM runs`,
    `INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
     SELECT run_id, 'a', 'k', 2, '', '{}', now() FROM runs`,
    `INSERT INTO run_tool_results (run_id, node_id, step, position, tool_call_id, name, output, created_at)
     SELECT run_id, 'a', 0, 0, 'c', 'tool', '{}', now() FROM runs`,
    `INSERT INTO run_keys (project_id, scope, key, request_hash, run_id) SELECT project_id, 'project', run_id, '', run_id FROM runs`,
  ];
  for (const statement of statements) await database.pool.query(statement);
  await database.analyze();
});
afterAll(() => database.drop());

const OWNER = toId('owner');
const PROJECT = toId('project1');
const runId = toId('run1');
const [WORK, STEPS] = [['run_work_pkey'], ['run_steps_pkey']];
const step = { runId, nodeId: 'a', step: 0, attempt: 1 };
/** The lease of `run2001`. */
const held = { workId: 2002n, epoch: 1 };

const now = new Date();
const key = { projectId: PROJECT, scope: 'project', key: runId, requestHash: '' };
const keys = { runId, nodeIds: ['a'], steps: [0] };
const created = {
  runId: randomUUID(),
  projectId: PROJECT,
  customerId: null,
  planHash: 'p',
  name: null,
  principal: Buffer.from(''),
  sessionId: null,
  input: null,
  modelOverride: null,
  now,
  traceparent: null,
  agents: null,
  deadlineAt: now,
  nodes: [{ nodeId: 'a', type: 'model', position: 1 }],
};
const outcome = {
  provider: null,
  costMicrocents: 1n,
  inputTokens: 1n,
  outputTokens: 1n,
  llmResponse: null,
  errorCode: null,
};
const prices = { modelId: 'm', inputPrice: 1n, outputPrice: 1n, imagePrice: 1n, heldMicrocents: 1n, llmRequest: '{}' };
const result = { errorCode: null, modelId: null, costMicrocents: 1n, mocksServed: 0, mockKey: null, at: now };
const event = { nth: 1, type: 'node.started', nodeId: 'a', body: '{}' };
const ended = { errorCode: null, errorMessage: null, endedAt: null };
/** One transition with a row of each table. */
const transition = {
  runs: [
    {
      ...ended,
      item: 1,
      runId,
      projectId: PROJECT,
      at: now,
      lastSeq: 0,
      eventCount: 1,
      revision: null,
      workId: 2n,
      leaseEpoch: 1,
      endsWork: true,
      status: 'running',
      outputs: null,
    },
  ],
  nodes: [
    {
      ...ended,
      item: 1,
      nodeId: 'a',
      status: 'running',
      isQueued: true,
      attempt: 2,
      startedAt: now,
      deadlineAt: now,
      closedTo: '{}',
    },
  ],
  events: [{ ...event, item: 1 }],
  artifacts: [{ item: 1, nodeId: 'a', key: 'k', bytes: 2, sha256: '', body: '{}' }],
  dispatched: [{ ...prices, item: 1, nodeId: 'a', step: 1, attempt: 1, requestId: randomUUID() }],
  ended: [{ ...outcome, item: 1, nodeId: 'a', step: 0, attempt: 1, status: 'dropped' }],
  outbox: [
    {
      item: 1,
      id: randomUUID(),
      topic: 't',
      key: 'k',
      type: 't',
      payload: Buffer.from(''),
      occurredAt: now,
      requestId: null,
      traceparent: null,
    },
  ],
  work: [{ item: 1, nodeId: 'b', delayMs: 0, owner: OWNER, leaseMs: 1 }],
};

const cases: Record<string, PlanCase> = {
  'creates a run': { run: (db) => insertRun(db, created), indexes: [], rowsMax: 0 },
  'spawns nodes': {
    run: (db) =>
      spawnNodes(db, {
        runId,
        spawned: [{ nodeId: 'a.0', parentId: 'a', itemIndex: 0, type: 'model', isQueued: false }],
      }),
    indexes: ['run_nodes_pkey'],
    rowsMax: 1,
  },
  'writes a transition': {
    run: (db) => writeRuns(db, transition),
    indexes: ['runs_pkey', ...WORK, ...STEPS, 'run_nodes_pkey', 'run_work_once'],
    rowsMax: 20,
  },
  'appends events': {
    run: (db) => appendRunEvents(db, { runId, workId: 2n, epoch: 1, events: [event] }),
    indexes: ['runs_pkey', ...WORK, 'run_work_once'],
    rowsMax: 4,
  },
  'claims a key': { run: (db) => claimRunKey(db, { ...key, runId }), indexes: [], rowsMax: 0 },
  'takes a key over': {
    run: (db) => takeRunKeyOver(db, { ...key, from: runId, to: OWNER }),
    indexes: ['run_keys_pkey'],
    rowsMax: 1,
  },
  'adds up the calls of an agent': {
    run: (db) => readTotals(db, { runId, agentNodeId: 'a' }),
    indexes: [...STEPS, 'run_tool_results_pkey'],
    rowsMax: 2,
  },
  'deletes old runs': {
    run: (db) => purgeRuns(db, { retentionMs: -60_000, limit: 5 }),
    indexes: [
      'runs_ended',
      'runs_pkey',
      'run_nodes_pkey',
      ...STEPS,
      'run_tool_results_pkey',
      'run_artifacts_pkey',
      'run_events_pkey',
      'run_session_messages_pkey',
      'run_unknown_costs_run',
    ],
    rowsMax: 60,
  },
  'lists steps': {
    run: (db) => listStepKeys(db, { runId, limit: 5, offset: 0 }),
    indexes: [...STEPS, 'run_nodes_pkey'],
    rowsMax: 2,
  },
  'reads steps': { run: (db) => readStepRecords(db, { ...keys, attempts: [1] }), indexes: STEPS, rowsMax: 1 },
  'reads results of steps': {
    run: (db) => readStepResults(db, keys),
    indexes: ['run_tool_results_pkey'],
    rowsMax: 1,
  },
  'adds a step': {
    run: (db) => steps.insertIntent(db, { ...step, step: 1, holdId: runId, at: now }),
    indexes: [],
    rowsMax: 0,
  },
  'marks a step as dispatched': {
    run: (db) => steps.markDispatched(db, { ...step, ...prices, workId: 2n, epoch: 1 }),
    indexes: [...STEPS, ...WORK, 'run_work_once'],
    rowsMax: 2,
  },
  'marks a step as not delivered': {
    run: (db) => steps.markUndelivered(db, { ...step, workId: 2n, epoch: 1 }),
    indexes: [...STEPS, ...WORK, 'run_work_once'],
    rowsMax: 2,
  },
  'ends a step': {
    run: (db) => steps.endStep(db, { ...step, ...outcome, status: 'dropped', at: now }),
    indexes: STEPS,
    rowsMax: 1,
  },
  'stores the results of a client': {
    run: (db) => steps.storeClientResults(db, { ...step, results: '[]' }),
    indexes: STEPS,
    rowsMax: 1,
  },
  'records late usage': {
    run: (db) => steps.recordLateUsage(db, { ...step, ...outcome }),
    indexes: [...STEPS, 'runs_pkey'],
    rowsMax: 2,
  },
  'stores a recorded request': {
    run: (db) => steps.markRecorded(db, { ...step, modelId: 'm', llmRequest: '{}' }),
    indexes: STEPS,
    rowsMax: 1,
  },
  'adds the result of a tool call': {
    run: (db) => insertToolResult(db, { ...step, ...result, position: 1, toolCallId: 'c', name: 'tool', output: '{}' }),
    indexes: [],
    rowsMax: 0,
  },
  'stores a compiled plugin': {
    run: (db) => keepCompiled(db, { key: 'k', projectId: PROJECT, result: '{}', now }),
    indexes: [],
    rowsMax: 0,
  },
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
