import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRefusalCode } from '@tollgate/errors';
import { type Call, notDelivered } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import { type AdmitInput, type Admitted, admit } from './admit.js';
import { type HoldRef, type Ledger, release, underHold } from './ledger.js';

/** A ledger under test, real or fake, with one customer who pays for everything. */
export interface SpendingHarness {
  ledger: Ledger;
  /** A model that the customer may use. */
  model: string;
  /** A new call of the customer, who can pay for exactly one call of 10 input and 90 output tokens. */
  payer(): Promise<Call>;
  /** Settles a hold as the service that did the work does. */
  settle(hold: HoldRef, call: Call): Promise<void>;
  /** Returns the total that the call's customer has paid, in microcents. */
  paid(call: Call): Promise<bigint>;
  /** Holds of the call's owner account that are open. */
  openHolds(call: Call): Promise<bigint>;
}

export interface LedgerCase {
  title: string;
  run(harness: SpendingHarness): Promise<void>;
}

/** Requirements that a ledger must meet for the functions of this package to keep their promises. Each case is one test. */
export const ledgerCases: readonly LedgerCase[] = [
  {
    title: 'holds what a call may use and finds the hold again under its id',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      const first = await admitted(harness, terms, call);
      const again = await admitted(harness, terms, call);
      assert.equal(again.admission.heldMicrocents, first.admission.heldMicrocents);
      assert.equal(await harness.openHolds(call), 1n);
      assert.equal(terms.hold.isUndispatched, false);
    },
  },
  {
    title: 'refuses what the funds cannot cover and holds nothing',
    async run(harness) {
      const call = await harness.payer();
      const terms = { ...makeTerms(harness), maxOutputTokens: 91 };
      const outcome = await admit(harness.ledger, terms, call);
      assert.equal(outcome.kind === 'refused' && isRefusalCode(outcome.code), true);
      assert.equal(terms.hold.isUndispatched, true);
      assert.equal(await harness.openHolds(call), 0n);
    },
  },
  {
    title: 'frees a released hold, however often it is released',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      await admitted(harness, terms, call);
      await release(harness.ledger, terms.hold, 'CANCELED', call);
      await release(harness.ledger, terms.hold, 'CANCELED', call);
      assert.equal(await harness.openHolds(call), 0n);
      assert.equal(await harness.paid(call), 0n);
      await admitted(harness, makeTerms(harness), call);
    },
  },
  {
    title: 'ends a hold in advance when its release overtakes its admission',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      await release(harness.ledger, terms.hold, 'CANCELED', call);
      const outcome = await admit(harness.ledger, terms, call);
      assert.equal(outcome.kind === 'ended' && outcome.admission.wasReleased, true);
      assert.equal(await harness.openHolds(call), 0n);
    },
  },
  {
    title: 'keeps what was charged when a settled hold is released',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      await admitted(harness, terms, call);
      await harness.settle(terms.hold, call);
      const paid = await harness.paid(call);
      assert.notEqual(paid, 0n);
      await release(harness.ledger, terms.hold, 'CANCELED', call);
      assert.equal(await harness.paid(call), paid);
    },
  },
  {
    title: 'frees the hold of work that was not delivered',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      await admitted(harness, terms, call);
      await assert.rejects(underHold(harness.ledger, terms.hold, call, Promise.reject(notDelivered())));
      await until(async () => (await harness.openHolds(call)) === 0n);
      assert.equal(terms.hold.isUndispatched, true);
      assert.equal(await harness.paid(call), 0n);
    },
  },
  {
    title: 'charges the customer nothing for work whose outcome is unknown, even if it settles later',
    async run(harness) {
      const call = await harness.payer();
      const terms = makeTerms(harness);
      await admitted(harness, terms, call);
      await assert.rejects(underHold(harness.ledger, terms.hold, call, Promise.reject(new Error('the stream broke'))));
      await harness.settle(terms.hold, call);
      assert.equal(await harness.paid(call), 0n);
    },
  },
  {
    title: 'charges the customer for the later attempt only when it supersedes the earlier one',
    async run(harness) {
      const call = await harness.payer();
      const lost = makeTerms(harness);
      await admitted(harness, lost, call);
      const next = { ...makeTerms(harness), supersedesHoldId: lost.hold.holdId };
      await admitted(harness, next, call);
      await harness.settle(lost.hold, call);
      assert.equal(await harness.paid(call), 0n);
      await harness.settle(next.hold, call);
      assert.notEqual(await harness.paid(call), 0n);
    },
  },
  {
    title: 'charges the customer nothing for a part of a turn whose outcome is unknown',
    async run(harness) {
      const call = await harness.payer();
      const half = { inputTokens: 5, maxOutputTokens: 45 };
      const turn = { ...makeTerms(harness), ...half };
      await admitted(harness, turn, call);
      const part = { ...makeTerms(harness), ...half, partOfHoldId: turn.hold.holdId };
      await admitted(harness, part, call);
      await assert.rejects(underHold(harness.ledger, turn.hold, call, Promise.reject(new Error('the stream broke'))));
      await harness.settle(part.hold, call);
      assert.equal(await harness.paid(call), 0n);
    },
  },
];

function makeTerms({ model }: SpendingHarness): AdmitInput {
  return { hold: { holdId: randomUUID() }, model, inputTokens: 10, maxOutputTokens: 90 };
}

async function admitted({ ledger }: SpendingHarness, terms: AdmitInput, call: Call): Promise<Admitted> {
  const outcome = await admit(ledger, terms, call);
  if (outcome.kind !== 'admitted') throw new Error(`expected an admission, got ${JSON.stringify(outcome.kind)}`);
  return outcome;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = elapsed() + 30_000; !(await isTrue()); ) {
    if (elapsed() > deadline) throw new Error('the condition was not met within 30 s');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
