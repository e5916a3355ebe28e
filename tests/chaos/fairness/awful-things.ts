// Disturbances that one tenant can cause within its limits. Each returns a note for the report.
import { setTimeout as sleep } from 'node:timers/promises';
import { agentBody, customerBody, responsesBody, startWebhookReceiver, webhookBody } from '@tollgate/testkit';
import pg from 'pg';
import {
  must,
  SANDBOX_MODEL,
  type System,
  type TestCustomer,
  type TestProject,
  UPSTREAM_MODEL,
} from '../../system/start-system.js';
import { buildRun, upstreamRequest } from '../harness.js';
import { type BurstInput, type BurstOutcome, startBurst } from './burst.js';
import { countedPrompt, LARGE_REQUESTS, type LargeRequest, listWideReports, wideSchema } from './large-requests.js';

/** The tenant that causes them. */
export interface Actor {
  system: System;
  project: TestProject;
  customer: TestCustomer;
}

const MIB = 1024 * 1024;
/** The longest duration of a disturbance, even if its requests have not ended. */
const DISTURBANCE_MS_MAX = 20_000;
const LOCK_MS = 5_000;

export const AWFUL_THINGS: Record<string, (actor: Actor) => Promise<string>> = {
  'eight bodies of 22 MiB at once': (actor) => burst(actor, '/responses', { body: largeFile(22 * MIB), count: 8 }),

  'bodies with 1.5 million members': (actor) => burst(actor, '/responses', { body: manyMembers(1_500_000), count: 2 }),

  'bodies with 1.5 million members under an Idempotency-Key': (actor) =>
    burst(actor, '/responses', {
      body: manyMembers(1_500_000),
      count: 2,
      headers: { 'idempotency-key': 'many-members' },
    }),

  'sign-ins with 1.5 million members, without a credential': ({ system }) =>
    burstTo(system, '/auth/login', { body: manyMembers(1_500_000), count: 4 }),

  '2,000 streams at once': (actor) =>
    burst(actor, '/responses', {
      headers: { accept: 'application/x-ndjson' },
      body: upstreamRequest('say 20 tokens, slow 100 ms'),
      count: 2_000,
    }),

  '60 streams that it does not read': (actor) =>
    burst(actor, '/responses', {
      headers: { accept: 'application/x-ndjson' },
      body: upstreamRequest('say 8000 tokens', 8_192),
      count: 60,
      reads: false,
    }),

  'small turns, 200 at a time': (actor) =>
    burst(actor, '/responses', { body: upstreamRequest('say 5 tokens'), count: 200, repeats: true }, 8_000),

  'large batches': (actor) =>
    burst(actor, '/responses/batch', {
      body: {
        requests: Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, ...upstreamRequest('say 3 tokens') })),
      },
      count: 4,
    }),

  'runs of 200 nodes, and reads of their event logs': bigRuns,

  'large lists, 50 at a time': async (actor) => {
    for (let i = 0; i < 200; i++) must(await actor.project.api.post('/customers', customerBody()), 201);
    return burst(actor, '/customers?limit=100', { method: 'GET', count: 50, repeats: true }, 8_000);
  },

  'events to webhooks that fail or are slow': badWebhooks,

  'requests while a transaction holds its account row': lockedAccount,

  'lists and reports over everything, 10 at a time each': async (actor) => {
    const reports = listWideReports(actor.project.id);
    const notes = reports.map(({ path }) => burst(actor, path, { method: 'GET', count: 10, repeats: true }, 8_000));
    return (await Promise.all(notes)).join('; ');
  },

  'prompts whose tokens are counted because funds are short': async ({ system }) => {
    const project = await system.project({ fundsCents: 1 });
    const { path, body = '' } = countedPrompt();
    return burst({ system, project }, path, { body, count: 4 });
  },

  'agents whose schema has 500 properties, 4 at a time': (actor) => {
    const body = agentBody({ input_schema: wideSchema() });
    const path = `/projects/${actor.project.id}/agents`;
    return burst(actor, path, { body, count: 4, repeats: true }, 8_000);
  },

  ...Object.fromEntries(
    Object.entries(LARGE_REQUESTS).map(([name, make]) => [name, (actor: Actor) => sendLarge(actor, make())]),
  ),
};

function sendLarge(actor: Actor, { path, body = {} }: LargeRequest): Promise<string> {
  return burst(actor, path, { body, count: 4 });
}

/** A turn with an image, which counts far fewer tokens than bytes. */
function largeFile(bytes: number): object {
  const file = { data_base64: 'A'.repeat(bytes), mime_type: 'image/png' };
  const content = [{ type: 'file', file }];
  return { model: UPSTREAM_MODEL, max_output_tokens: 20, input: [{ type: 'message', role: 'user', content }] };
}

/** A turn whose body has this many members that the schema ignores. */
function manyMembers(count: number): string {
  const metadata = Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',');
  return `{"model":"${SANDBOX_MODEL}","input":[],"metadata":{${metadata}}}`;
}

function burst(
  { system, project }: Pick<Actor, 'system' | 'project'>,
  path: string,
  input: BurstInput,
  forMs?: number,
): Promise<string> {
  const headers = { authorization: `Bearer ${project.secretKey}`, ...input.headers };
  return burstTo(system, path, { ...input, headers }, forMs);
}

async function burstTo(system: System, path: string, input: BurstInput, forMs = DISTURBANCE_MS_MAX): Promise<string> {
  // The compatible endpoints are beside the API.
  const base = path.startsWith('/v1/') ? new URL(system.baseUrl).origin : system.baseUrl;
  const running = startBurst(`${base}${path}`, input);
  await Promise.race([running.ended, sleep(forMs)]);
  return describeBurst(await running.stop());
}

function describeBurst({ sent, statuses, broken }: BurstOutcome): string {
  const parts = [statuses, broken].flatMap((counts) => Object.entries(counts).map(([what, n]) => `${n} × ${what}`));
  return `${sent} sent: ${parts.join(', ') || 'none answered'}`;
}

async function bigRuns(actor: Actor): Promise<string> {
  const ids = Array.from({ length: 200 }, (_, i) => `n${i}`);
  const input = responsesBody('a word or two', { model: SANDBOX_MODEL });
  const spec = buildRun(ids, input);
  const { api } = actor.project;
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/runs', spec)));
  const runId = answers.find(({ status }) => status === 200)?.body.run_id;
  const started = answers.map(({ status }) => status).join(' ');
  if (runId === undefined) return `runs: ${started}`;
  const reads = await burst(
    actor,
    `/runs/${runId}/events?wait=false`,
    { method: 'GET', count: 20, repeats: true },
    8_000,
  );
  return `runs: ${started}; reads: ${reads}`;
}

async function badWebhooks({ project }: Actor): Promise<string> {
  const receiver = await startWebhookReceiver();
  receiver.answerWith(() => ({ delayMs: 3_000, status: 503 }));
  try {
    for (let i = 0; i < 5; i++) {
      const body = webhookBody(receiver.url, { events: ['customer.created'] });
      await project.owner.post(`/projects/${project.id}/webhooks`, body);
    }
    await Promise.all(Array.from({ length: 100 }, () => project.api.post('/customers', customerBody())));
    await sleep(5_000);
    return `${receiver.deliveries.length} deliveries`;
  } finally {
    await receiver.stop();
  }
}

/** Keeps the tenant's ledger accounts locked, as a paused transaction would, while it sends requests. */
async function lockedAccount(actor: Actor): Promise<string> {
  const client = new pg.Client({ connectionString: actor.system.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rowCount } = await client.query(
      `SELECT 1 FROM billing_ledger.accounts
         WHERE owner_account_id = (SELECT account_id FROM billing_ledger.customers WHERE id = $1) FOR UPDATE`,
      [actor.customer.id],
    );
    const body = upstreamRequest('say 3 tokens');
    const note = await burst(actor, '/responses', { body, count: 4, repeats: true }, LOCK_MS);
    return `${rowCount} rows locked; ${note}`;
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    await client.end();
  }
}
