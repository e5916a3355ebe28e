import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalNetwork } from '@tollgate/rpc';
import { type Clock, systemClock } from '@tollgate/runtime';
import fc from 'fast-check';
import { callAs, type LedgerHarness, startLedgerHarness } from '../testing/ledger-harness.js';
import type { Action, Answer } from './actions.js';
import { LedgerDriver } from './ledger-driver.js';
import { Cast, roundsAtOnce, type Step, stepsOfOneThread } from './random-steps.js';
import { readBooks, referenceBooks } from './read-books.js';
import { ReferenceLedger } from './reference-ledger.js';
import { installWitness, violations } from './witness.js';

/** A failure prints its seed; LEDGER_PROOF_SEED repeats it. */
const RUNS = Number(process.env.LEDGER_PROOF_RUNS ?? 25);
const SEED = process.env.LEDGER_PROOF_SEED;
const parameters = {
  numRuns: RUNS,
  endOnFailure: process.env.LEDGER_PROOF_SHRINK === '0',
  // The time also limits the search for a shorter example. A seed runs all its examples, however slow the machine is.
  ...(SEED === undefined ? { interruptAfterTimeLimit: RUNS * 1_000 } : { seed: Number(SEED) }),
};
const TIMEOUT_MS = 60_000 + RUNS * 20_000;
const BEGIN = Date.UTC(2027, 0, 10, 9);

let nowMs = BEGIN;
const clock: Clock = { ...systemClock, nowMs: () => nowMs, now: () => new Date(nowMs) };
let harness: LedgerHarness;
let replicas: LocalNetwork[];

beforeAll(async () => {
  harness = await startLedgerHarness('replay', { clock, env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '10ms' } });
  await installWitness(harness.database.pool);
  replicas = [await harness.replicaNetwork(), await harness.replicaNetwork(), await harness.replicaNetwork()];
});
afterAll(() => harness.stop());

const verify = async (driver: LedgerDriver) =>
  (await harness.billing.verifyLedger({}, callAs(driver.owner))).differences;

describe('any sequence of commands', () => {
  it(
    'leaves the ledger in the state of the reference ledger, and repeated commands change nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(stepsOfOneThread(24), async (steps) => {
          nowMs = BEGIN;
          const { pool } = harness.database;
          const driver = new LedgerDriver(pool);
          const reference = new ReferenceLedger(driver.owner.accountId, nowMs);
          const cast = new Cast();
          const [first, other] = replicas as [LocalNetwork, LocalNetwork];
          for (const step of steps) {
            const action = await cast.nameStep(step, () => driver.newCustomer(first));
            if (!action) continue;
            if (action.kind === 'advance') nowMs += action.byMs;
            const answers = await driver.perform(action, first);
            expect(answers).toEqual(reference.replay(action));
            const books = await readBooks(pool, driver.owner.accountId);
            expect(books).toEqual(referenceBooks(reference));
            expect(await violations(pool, driver.owner.accountId)).toEqual([]);
            expect(await verify(driver)).toEqual([]);
            cast.remember(action, (place) => answers[place]?.held !== undefined);
            if (!isRepeatable(action)) continue;
            // Calls on a hold may go to any replica; an admission may see an older subject on another replica.
            const again = await driver.perform(action, action.kind === 'admit' ? first : other);
            expect(again).toEqual(reference.replay(action));
            expect(withoutRepeatFields(again)).toEqual(withoutRepeatFields(answers));
            expect(await readBooks(pool, driver.owner.accountId)).toEqual(books);
          }
        }),
        parameters,
      );
    },
    TIMEOUT_MS,
  );
});

/** Repeating a creation or an advance is a new command. */
function isRepeatable({ kind }: Action): boolean {
  return !['tier', 'customer', 'advance'].includes(kind);
}

/** Removes the fields that differ between a first and a repeated command. */
function withoutRepeatFields(answers: Answer[]): Answer[] {
  return answers.map(({ outcome, applied, ...figures }) => figures);
}

describe('concurrent commands on several replicas', () => {
  it(
    'permits no overspending, ends every hold once, and leaves consistent books',
    async () => {
      await fc.assert(
        fc.asyncProperty(roundsAtOnce(4, 12), async ({ opening, rounds }) => {
          nowMs = BEGIN;
          const driver = new LedgerDriver(harness.database.pool);
          const cast = new Cast();
          const at = (i: number) => replicas[i % replicas.length] as LocalNetwork;
          for (const step of opening) await act(driver, cast, step, at(0));
          for (const round of rounds) {
            await Promise.all(round.map((step, i) => act(driver, cast, step, at(i))));
            expect(await violations(harness.database.pool, driver.owner.accountId)).toEqual([]);
            expect(await verify(driver)).toEqual([]);
          }
          await endAll(driver, cast, at);
          expect(await violations(harness.database.pool, driver.owner.accountId)).toEqual([]);
          const verdict = await harness.billing.verifyLedger({}, callAs(driver.owner));
          expect(verdict).toMatchObject({ differences: [], openHolds: 0n });
        }),
        parameters,
      );
    },
    TIMEOUT_MS,
  );
});

async function act(driver: LedgerDriver, cast: Cast, step: Step, at: LocalNetwork): Promise<void> {
  const action = await cast.nameStep(step, () => driver.newCustomer(at));
  if (!action) return;
  const answers = await driver.perform(action, at);
  cast.remember(action, (place) => answers[place]?.held !== undefined);
}

/** Reports and expires every hold at the same time. */
async function endAll(driver: LedgerDriver, cast: Cast, at: (i: number) => LocalNetwork): Promise<void> {
  const used = { input: 5n, output: 5n, images: 0n };
  await Promise.all(
    cast.holds.flatMap((holdId, i) => [
      driver.perform({ kind: 'expire', holdId }, at(i)),
      driver.perform({ kind: 'settle', holdId, used, isInDoubt: false }, at(i + 1)),
    ]),
  );
}
