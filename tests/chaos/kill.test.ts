// `kill -9` of every service under load: what a provider served is posted, overrun or unreconciled, no customer pays twice,
// no funds stay held, and the system serves requests again.
import { expect, it } from '@jest/globals';
import { SERVICE_NAMES, type ServiceName } from '@tollgate/local';
import { type ApiStream, agentBody, type Json, waitUntil } from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import {
  buildRun,
  type ChaosHarness,
  expectNothingLost,
  expectRunSucceeds,
  openHarness,
  upstreamRequest,
} from './harness.js';
import { startLoad } from './loads/load.js';
import { useJournaledSystem } from './use-journaled-system.js';

/** Recovery after SIGKILL takes seconds (ARCHITECTURE.md); on a loaded machine a process needs longer to start. */
const RECOVERY_MS = 60_000;
/** Answers to wait for before a kill, and again after it. */
const ANSWERS = 15;

const { system, journalFile } = useJournaledSystem({
  env: {
    HOLD_TTL: '4s',
    HOLD_SWEEP_INTERVAL: '250ms',
    WORK_LEASE: '3s',
    WORK_HEARTBEAT: '1s',
    RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
  },
});

it.each(SERVICE_NAMES)(
  'loses nothing, charges nothing twice and recovers when %s is killed under load',
  async (name) => {
    const harness = await openHarness(system, journalFile);
    expect(await serves(name, harness)).toBe(true);
    const load = startLoad(harness.payers);
    let runId: string;
    try {
      const run = buildRun(['first', 'second'], upstreamRequest('say 50 tokens, slow 40 ms'));
      runId = must(await harness.wallet.api.post('/runs', run), 200).run_id;
      await waitUntil(() => load.completed() >= ANSWERS, { what: 'answers before the kill' });
      await system.kill(name);
      await waitUntil(() => serves(name, harness), { what: `${name} to serve again`, timeoutMs: RECOVERY_MS });
      const before = load.completed();
      await waitUntil(() => load.completed() >= before + ANSWERS, { what: 'answers after it' });
    } finally {
      await load.stop();
    }
    await expectRunSucceeds(harness.wallet.api, runId);
    await expectNothingLost(system, harness, load.asked);
  },
);

it('ends the upstream calls of streams when the edge is killed, and charges what was delivered', async () => {
  const harness = await openHarness(system, journalFile);
  const request = upstreamRequest('say 400 tokens, slow 25 ms', 400);
  const streams = await Promise.all(
    harness.payers.flatMap((payer) => [payer.ndjson('/responses', request), payer.ndjson('/responses', request)]),
  );
  const readers = streams.map(countUpdates);
  await waitUntil(() => readers.every(({ updates }) => updates >= 10), { what: 'ten tokens for every client' });
  await system.kill('edge-gateway');
  await waitUntil(() => harness.calls().every(({ outcome }) => outcome === 'client_gone'), {
    what: 'every call to be cut at the provider, long before it would have ended',
  });
  await Promise.all(readers.map(({ broken }) => broken));
  await waitUntil(() => serves('edge-gateway', harness), { what: 'the edge to serve again', timeoutMs: RECOVERY_MS });
  const { holds } = await expectNothingLost(system, harness, []);
  streams.forEach((stream, i) => {
    const hold = holds.get(String(stream.headers['x-service-request-id']));
    expect(hold).toMatchObject({ state: 1 });
    expect(Number(hold?.output_tokens)).toBeGreaterThanOrEqual(readers[i]?.updates ?? 0);
  });
});

it('charges the customer once for a step whose attempt was lost, and the owner for the lost attempt', async () => {
  const harness = await openHarness(system, journalFile);
  const started = await harness.wallet.api.post(
    '/runs',
    buildRun(['only'], upstreamRequest('say 160 tokens, slow 25 ms', 160)),
  );
  const runId: string = must(started, 200).run_id;
  await waitUntil(() => hasProgress(harness), { what: 'progress of the step at the ledger' });
  await system.kill('gateway-inference');
  await expectRunSucceeds(harness.wallet.api, runId);
  const { holds } = await expectNothingLost(system, harness, []);
  const attempts = [...holds.values()].filter(({ owner_microcents }) => Number(owner_microcents) > 0);
  expect(attempts.map(({ state, output_tokens }) => [state, Number(output_tokens)])).toContainEqual([1, 160]);
  expect(attempts.length).toBeGreaterThan(1);
  const paying = attempts.filter(({ customer_microcents }) => Number(customer_microcents) > 0);
  expect(paying.map(({ state, output_tokens }) => [state, Number(output_tokens)])).toEqual([[1, 160]]);
});

it('charges a request once per Idempotency-Key when inference is killed during its first attempt', async () => {
  const harness = await openHarness(system, journalFile);
  const request = upstreamRequest('say 160 tokens, slow 25 ms', 160);
  const key = { 'idempotency-key': 'killed-1' };
  const cut = (await harness.wallet.api.ndjson('/responses', request, key)).all().catch(() => []);
  await waitUntil(() => hasProgress(harness), { what: 'progress of the turn at the ledger' });
  await system.kill('gateway-inference');
  await cut;
  const whole = await waitUntil(
    async () => {
      const repeat = await harness.wallet.api.ndjson('/responses', request, key);
      const events = await repeat.all();
      return repeat.status === 200 && events.at(-1)?.type === 'completion' && events;
    },
    { what: 'the answer under the same key' },
  );
  const replay = await harness.wallet.api.ndjson('/responses', request, key);
  expect(replay.headers['idempotent-replayed']).toBe('true');
  expect(await replay.all()).toEqual(whole);
  const { holds } = await expectNothingLost(system, harness, []);
  const paying = [...holds.values()].filter(({ customer_microcents }) => Number(customer_microcents) > 0);
  expect(paying.map(({ state, output_tokens }) => [state, Number(output_tokens)])).toEqual([[1, 160]]);
});

/** Returns whether the service works; may also throw while it does not. */
async function serves(name: ServiceName, { project, free }: ChaosHarness): Promise<boolean> {
  switch (name) {
    case 'agent-registry':
      return (await project.api.post(`/projects/${project.id}/agents`, agentBody())).status === 201;
    case 'messaging':
      return (await project.api.get(`/messages?to=agent:nobody@${project.id}`)).status === 200;
    case 'hooks-webhooks':
      return (await project.owner.get(`/projects/${project.id}/webhooks`)).status === 200;
    case 'workflow-engine':
      return (await free.api.post('/runs', buildRun(['only'], upstreamRequest('say 2 tokens')))).status === 200;
    default:
      return (await free.api.post('/responses', upstreamRequest('say 2 tokens'))).status === 200;
  }
}

/** Reads until the stream breaks; a clean end is a failure. */
function countUpdates(stream: ApiStream<Json>): { readonly updates: number; broken: Promise<void> } {
  const reader = { updates: 0, broken: Promise.resolve() };
  const read = async (): Promise<void> => {
    for await (const event of stream) if (event.type === 'update') reader.updates += 1;
  };
  reader.broken = expect(read()).rejects.toThrow();
  return reader;
}

async function hasProgress({ ownerAccountId }: ChaosHarness): Promise<boolean> {
  const rows = await system.query(
    'SELECT 1 FROM billing_ledger.holds WHERE owner_account_id = $1 AND progress_output_tokens > 0',
    [ownerAccountId],
  );
  return rows.length > 0;
}
