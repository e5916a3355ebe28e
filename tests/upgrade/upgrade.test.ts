// The previous version and this one side by side on one database. Every service is replaced, one process at a time and
// under load, by this version and then by the previous one again, while the new migrations stay: no request fails, every
// run finishes once, every event is delivered, and the ledger has what the provider served.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES, type ServiceName } from '@tollgate/local';
import { emptyDatabase } from '@tollgate/postgres';
import { parseDelivery, startWebhookReceiver, type WebhookReceiver, waitUntil, webhookBody } from '@tollgate/testkit';
import { type ChaosHarness, expectNothingLost, expectRunSucceeds, openHarness } from '../chaos/harness.js';
import { type Asked, type Load, startLoad } from '../chaos/loads/load.js';
import { longWorkflow, startRun, startToolClient } from '../chaos/loads/run-load.js';
import { expectRunsPaidOnce } from '../chaos/run-reckoning.js';
import { must, type System, startSystem, type TestCustomer } from '../system/start-system.js';
import { buildPreviousVersion, currentVersion, missingHistory, type Version } from './previous-version.js';
import { type RollingStack, startRollingStack } from './rolling-stack.js';
import { startVisits, type Visits } from './visits.js';

const CALLEES_FIRST = SERVICE_NAMES;
const CALLERS_FIRST = [...SERVICE_NAMES].reverse();
/** Complete answers and visits while a service runs in both versions. */
const ANSWERS = 12;
const VISITS = 1;
const RUNS = 2;
const LOG_LINES_MAX = 300;
const RUN_NODES = 8;
const WORKERS_PER_PAYER = 1;
const WALLET_MICROCENTS = 1_000_000_000n;
const SETTLING_MS = 180_000;

const missing = missingHistory();
if (missing !== undefined && process.env.CI !== 'true') it.skip(`needs the previous version: ${missing}`, () => {});
else describe('a rolling update', () => describeUpgrade());

function describeUpgrade(): void {
  let folder: string;
  let journalFile: string;
  let system: System;
  let stack: RollingStack;
  let receiver: WebhookReceiver;
  let previousVersion: Version;

  beforeAll(async () => {
    previousVersion = buildPreviousVersion((line) => console.error(line));
    folder = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'));
    journalFile = join(folder, 'provider.ndjson');
    receiver = await startWebhookReceiver();
    system = await startSystem({
      mode: 'separate processes',
      // The previous version applies its migrations first.
      database: await emptyDatabase('upgrade'),
      journalFile,
      env: { RATE_LIMIT_CUSTOMER_PER_MINUTE: '100000', RATE_LIMIT_SECRET_KEY_PER_MINUTE: '100000', LOG_LEVEL: 'info' },
      start: async (options) => {
        stack = await startRollingStack(options, previousVersion);
        return stack;
      },
    });
  }, 1_200_000);
  afterAll(async () => {
    await system?.stop();
    await receiver?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['callees first', CALLEES_FIRST],
    ['callers first', CALLERS_FIRST],
  ] as const)(
    'fails no request, loses no run, event or usage and leaves no hold, nor does its reversal: %s',
    async (_, order) => {
      await playPhase(order, currentVersion);
      await playPhase(order, previousVersion);
    },
    1_200_000,
  );

  /** Replaces every service under load, and then compares what clients got with what was recorded. */
  async function playPhase(order: readonly ServiceName[], version: Version): Promise<void> {
    const harness = await openHarness(system, journalFile);
    const { project } = harness;
    const webhook = webhookBody(`${receiver.url}${project.id}`);
    must(await project.owner.post(`/projects/${project.id}/webhooks`, webhook), 201);
    const runner = await project.customerOn('paygo', { walletMicrocents: WALLET_MICROCENTS });
    const visitor = await project.customerOn('paygo', { walletMicrocents: WALLET_MICROCENTS });
    const load = startLoad(harness.payers, WORKERS_PER_PAYER);
    const visits = startVisits(project, visitor, 1);
    // They wait for their client, so that they finish under the other version.
    const spec = longWorkflow(RUN_NODES);
    const runIds = await Promise.all(Array.from({ length: RUNS }, () => startRun(runner.api, spec)));
    try {
      await untilServed(load, visits, 'before the update');
      if (version === currentVersion) await stack.migrate(version);
      for (const name of order) {
        const both = `while ${name} runs in both versions`;
        await stack.roll(name, version, () => untilServed(load, visits, both));
      }
      await untilServed(load, visits, 'after the update');
    } finally {
      await Promise.all([load.stop(), visits.stop()]);
    }
    const failed = load.asked.filter(hasFailed);
    // The stop of the system deletes the logs.
    if (failed.length > 0) console.error(findLogLines(failed.map(({ requestId }) => requestId ?? '')));
    expect({ visits: visits.failures, load: failed }).toEqual({ visits: [], load: [] });
    await expectRunsSucceedOnce(harness, runner, runIds);
    await expectNothingLost(system, harness, load.asked, { settlingMs: SETTLING_MS, hasNoDeaths: true });
    await expectDelivered(harness, load.asked);
  }

  /** Returns what the services logged about these requests and about their own starts and stops. */
  function findLogLines(requestIds: readonly string[]): string {
    const told = [...requestIds, 'is ready', 'is draining', 'stopped', '"level":"error"', '"level":"fatal"'];
    const lines = system.log().split('\n');
    return lines
      .filter((line) => told.some((text) => line.includes(text)))
      .slice(-LOG_LINES_MAX)
      .join('\n');
  }

  async function expectRunsSucceedOnce(harness: ChaosHarness, runner: TestCustomer, runIds: string[]): Promise<void> {
    const client = startToolClient(runner.api, runIds);
    try {
      for (const runId of runIds) await expectRunSucceeds(runner.api, runId);
    } finally {
      await client.stop();
    }
    await expectRunsPaidOnce(system, { ...harness, wallet: runner }, runIds);
  }

  /** Every complete answer is reported by `request.completed`, whichever version recorded, published and delivered it. */
  async function expectDelivered({ project }: ChaosHarness, asked: readonly Asked[]): Promise<void> {
    const missingIds = (): string[] => {
      const mine = receiver.deliveries.filter(({ path }) => path === `/${project.id}`);
      const reported = new Set(mine.map((it) => (parseDelivery(it).data as { request_id: string }).request_id));
      return asked.flatMap(({ isComplete, requestId = '' }) =>
        isComplete && !reported.has(requestId) ? requestId : [],
      );
    };
    await waitUntil(() => missingIds().length === 0, { what: 'an event of every answer', timeoutMs: SETTLING_MS });
  }
}

async function untilServed(load: Load, visits: Visits, when: string): Promise<void> {
  const [answers, visited] = [load.completed() + ANSWERS, visits.count() + VISITS];
  const isServed = () => load.completed() >= answers && visits.count() >= visited;
  await waitUntil(isServed, { what: `answers and visits ${when}`, timeoutMs: SETTLING_MS }).catch((error: Error) => {
    const failed = { visits: visits.failures.slice(-3), load: load.asked.filter(hasFailed).slice(-3) };
    const seen = `${load.completed() - answers} answers, ${visits.count() - visited} visits`;
    throw new Error(`${error.message}: ${seen}, ${JSON.stringify(failed)}`);
  });
}

function hasFailed({ isComplete, isBoundToFail }: Asked): boolean {
  return !isComplete && !isBoundToFail;
}
