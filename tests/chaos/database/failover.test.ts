// The database fails over, becomes read-only, ends its sessions and loses packets under load. Until then, services answer with
// retryable errors, and the provider's journal, the clients and the ledger agree on every token, lost transactions included.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, parseMetrics, sumEntries, waitUntil } from '@tollgate/testkit';
import { must, type System, startSystem, UPSTREAM_MODEL } from '../../system/start-system.js';
import {
  CATALOG_PRICE,
  type ChaosHarness,
  countOpenHolds,
  expectNothingLost,
  openHarness,
  upstreamRequest,
} from '../harness.js';
import { type Asked, type Load, readUsage, startLoad } from '../loads/load.js';
import { type Asking, everyService, expectOnlyRetryable, startAsking } from './asking.js';
import { type ReplicatedDatabase, startReplicatedDatabase } from './replicated-database.js';

const ANSWERS = 10;
const WAIT_MS = 120_000;
const TEST_MS = 600_000;
/** Kinds of requests that fail before a test takes the outage for felt. */
const FAILING_KINDS = 3;
const UNKNOWN_HOLD = 'settlement of a hold that the database does not know';
/** States of a hold in its table. */
const [POSTED, EXPIRED] = [1, 3];

/** A system whose database has a replica. */
interface Setting {
  database: ReplicatedDatabase;
  system: System;
  journalFile: string;
}

function useReplicatedSystem(isSynchronous: boolean): Setting {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-failover-'));
  const setting = { journalFile: join(folder, 'provider.ndjson') } as Setting;
  beforeAll(async () => {
    setting.database = await startReplicatedDatabase(isSynchronous);
    const { url, query, services } = setting.database;
    const system = await startSystem({
      mode: 'separate processes',
      journalFile: setting.journalFile,
      // One address, for readers that search no primary.
      database: { url: services.url, drop: async () => undefined },
      env: {
        DATABASE_URL: url,
        HOLD_TTL: '10s',
        HOLD_SWEEP_INTERVAL: '250ms',
        RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000',
        RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000',
        RATE_LIMIT_OWNER_PER_MINUTE: '100000',
      },
    });
    setting.system = { ...system, query };
  }, TEST_MS);
  afterAll(async () => {
    await setting.system?.stop();
    await setting.database?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, TEST_MS);
  return setting;
}

function awaitAnswers(load: Load): Promise<unknown> {
  const before = load.completed();
  const isServed = () => load.completed() >= before + ANSWERS;
  return waitUntil(isServed, { what: `${ANSWERS} answers`, timeoutMs: WAIT_MS });
}

/** Waits until the outage is felt: short ones pass unseen, because services try again. */
function awaitFailures(asking: Asking): Promise<unknown> {
  const isFelt = () => new Set(asking.failed().map(({ what }) => what)).size >= FAILING_KINDS;
  return waitUntil(isFelt, { what: 'requests that fail', timeoutMs: WAIT_MS });
}

/** Runs the fault under load, then expects answers again, only retryable errors in between, and exact books. */
async function expectSurvives(
  { system, journalFile }: Setting,
  fault: (load: Load, asking: Asking) => Promise<void>,
): Promise<void> {
  const harness = await openHarness(system, journalFile);
  const load = startLoad(harness.payers);
  const asking = startAsking(await everyService(system, harness));
  try {
    await awaitAnswers(load);
    await fault(load, asking);
    await awaitAnswers(load);
  } finally {
    await load.stop();
    await asking.stop();
  }
  expectOnlyRetryable(asking);
  await expectNothingLost(system, harness, load.asked);
}

describe('a primary with a synchronous replica', () => {
  const setting = useReplicatedSystem(true);

  it(
    'returns only retryable errors while it is read-only in place',
    async () => {
      const { query } = setting.database;
      const setReadOnly = async (value: 'on' | 'off') => {
        await query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
        await query('SELECT pg_reload_conf()');
      };
      await expectSurvives(setting, async (_, asking) => {
        await setReadOnly('on');
        await awaitFailures(asking);
        await setReadOnly('off');
      });
    },
    TEST_MS,
  );

  it(
    'serves again after all sessions were ended',
    async () => {
      const { query } = setting.database;
      await expectSurvives(setting, async (load) => {
        for (let round = 0; round < 3; round++) {
          await query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()',
          );
          await awaitAnswers(load);
        }
      });
    },
    TEST_MS,
  );

  it(
    'leaves connections whose packets are dropped before their statements time out',
    async () => {
      await expectSurvives(setting, async () => setting.database.services.forget());
      expect(setting.system.log()).not.toContain('left a statement unanswered for 35000 ms');
      expect(setting.system.log()).toContain('left a statement unanswered and executes nothing');
    },
    TEST_MS,
  );

  // Last: afterwards there is no replica.
  it(
    'loses nothing when it is killed and the replica is promoted',
    async () => {
      await expectSurvives(setting, async (_, asking) => {
        await setting.database.killPrimary();
        await awaitFailures(asking);
        await setting.database.promoteReplica();
      });
    },
    TEST_MS,
  );
});

describe('a primary with an asynchronous replica', () => {
  const setting = useReplicatedSystem(false);

  it(
    'reports usage that the new primary does not know as unreconciled',
    async () => {
      const { database, system, journalFile } = setting;
      const harness = await openHarness(system, journalFile);
      const asked: Asked[] = [];
      const runLoad = async () => {
        const load = startLoad(harness.payers);
        await awaitAnswers(load);
        await load.stop();
        asked.push(...load.asked);
      };
      await runLoad();

      await waitUntil(async () => (await countOpenHolds(system, harness)) === 0, {
        what: 'all holds to end',
        timeoutMs: WAIT_MS,
      });

      // The replica knows these admissions, and not their settlements.
      const early = await askPaused(setting, harness);
      await database.awaitReplica();
      await database.cutReplication();
      asked.push(...(await early.answer()));
      // The replica knows nothing of these.
      const between = await Promise.all([1, 2, 3].map(() => ask(harness.wallet.api)));
      asked.push(...between);
      // The replica does not know these admissions; their settlements arrive after the promotion.
      const late = await askPaused(setting, harness);
      await database.killPrimary();
      await database.promoteReplica();
      const answers = await late.answer();
      asked.push(...answers);
      await runLoad();

      const lost = new Set([...early.ids(), ...between.map(({ requestId }) => requestId ?? ''), ...late.ids()]);
      expect(lost.size).toBe(9);
      const { holds } = await expectNothingLost(system, harness, asked, { lost });
      for (const { requestId } of between) expect(holds.has(requestId ?? '')).toBe(false);
      for (const id of early.ids()) {
        expect(holds.get(id)).toMatchObject({ state: EXPIRED, customer_microcents: '0', owner_microcents: '0' });
        expect(Number(holds.get(id)?.unreconciled_microcents)).toBeGreaterThanOrEqual(costServed(harness, [id]));
      }
      for (const id of late.ids()) {
        const hold = holds.get(id);
        expect(hold).toMatchObject({ state: POSTED, customer_microcents: '0', owner_microcents: '0' });
        // A request whose hold turns out to be unknown before its provider answers is cut: what it cost is a bound.
        const isAnswered = answers.some(({ requestId, isComplete }) => requestId === id && isComplete);
        if (isAnswered) expect(Number(hold?.unreconciled_microcents)).toBe(costServed(harness, [id]));
        else expect(Number(hold?.unreconciled_microcents)).toBeGreaterThan(0);
      }
      await expectReported(setting, harness, [...early.ids(), ...late.ids()], late.ids());
    },
    TEST_MS,
  );
});

/** Starts requests of the wallet's customer that the provider has received and does not answer yet. */
async function askPaused({ system }: Setting, harness: ChaosHarness) {
  const before = new Set(harness.calls().map(({ callId }) => callId));
  const resume = system.provider.pause();
  const asking = Promise.all([1, 2, 3].map(() => ask(harness.wallet.api)));
  const waiting = () => harness.calls().filter(({ callId }) => !before.has(callId));
  await waitUntil(() => waiting().length === 3, { what: 'three calls', timeoutMs: WAIT_MS });
  const ids = waiting().map(({ clientRequestId }) => clientRequestId ?? '');
  return {
    ids: () => ids,
    answer: () => {
      resume();
      return asking;
    },
  };
}

async function ask(payer: ApiClient): Promise<Asked> {
  const { status, body, requestId, text } = await payer.post('/responses', upstreamRequest('say 9 tokens'));
  const record = { shape: 'plain', requestId, isFalseEnd: false, isBoundToFail: false };
  if (status !== 200) return { ...record, isComplete: false, error: text };
  return { ...record, isComplete: true, usage: readUsage(body.usage) };
}

function costServed(harness: ChaosHarness, ids: readonly string[]): number {
  const calls = harness.calls().filter(({ clientRequestId }) => ids.includes(clientRequestId ?? ''));
  const { inputTokens, outputTokens } = sumEntries(calls);
  return inputTokens * Number(CATALOG_PRICE.input) + outputTokens * Number(CATALOG_PRICE.output);
}

/** The owner sees each request with its model, and operators a counter and a line with the hold. */
async function expectReported(
  { system }: Setting,
  { project }: ChaosHarness,
  ids: readonly string[],
  unknown: readonly string[],
): Promise<void> {
  const path = `/projects/${project.id}/uncharged-usage?kind=unreconciled&limit=100`;
  const { usage } = must(await project.owner.get(path), 200);
  for (const id of ids)
    expect(usage).toContainEqual(expect.objectContaining({ request_id: id, model: UPSTREAM_MODEL }));
  const answer = await fetch(`${system.stack.services['billing-ledger']?.health}/metrics`);
  const { tollgate_settlements_total: settled } = parseMetrics(await answer.text());
  expect(settled?.samples.find(({ labels }) => labels.outcome === 'unknown_hold')?.value).toBe(unknown.length);
  const lines = system.log().split('\n');
  const isLogged = (id: string) => lines.some((line) => line.includes(UNKNOWN_HOLD) && line.includes(id));
  for (const id of unknown) expect({ id, isLogged: isLogged(id) }).toEqual({ id, isLogged: true });
}
