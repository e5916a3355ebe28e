const RULES = 'services/billing-ledger/src/domain';
const CALL = 'packages/rpc/src/call.ts';
const FLOW = 'packages/rpc/src/lanes/lane-flow.ts';

/** Files in which every mutant is caught or listed below. */
export const PROVEN: readonly string[] = [
  `${RULES}/decide-admission.ts`,
  `${RULES}/extend-hold.ts`,
  `${RULES}/settle-hold.ts`,
  CALL,
  FLOW,
];

export interface Survivor {
  file: string;
  was: string;
  becomes: string;
  reason: string;
}

/** Mutants of the proven files that no test can catch. */
export const SURVIVORS: readonly Survivor[] = [
  {
    file: `${RULES}/decide-admission.ts`,
    was: 'affordable < outputTokens',
    becomes: 'affordable <= outputTokens',
    reason: 'equal values are assigned to each other',
  },
  {
    file: `${RULES}/decide-admission.ts`,
    was: 'free > 0n',
    becomes: 'free >= 0n',
    reason: 'zero adds nothing to the sum',
  },
  {
    file: `${RULES}/decide-admission.ts`,
    was: "'units'",
    becomes: '""',
    reason: 'units cost the same for any output, so the comparison before it has decided; it narrows the type',
  },
  {
    file: `${RULES}/decide-admission.ts`,
    was: 'free >= rest',
    becomes: 'free > rest',
    reason: 'the two parts are equal',
  },
  {
    file: `${RULES}/extend-hold.ts`,
    was: 'a > b',
    becomes: 'a >= b',
    reason: 'the two prices are equal',
  },
  {
    file: `${RULES}/settle-hold.ts`,
    was: '{ isInDoubt: false }',
    becomes: '{}',
    reason: 'an absent doubt counts as none',
  },
  {
    file: `${RULES}/settle-hold.ts`,
    was: '{ ...terms, customerPrice: undefined }',
    becomes: '{}',
    reason: 'without limits, a customer and a cost nothing else of the terms is read',
  },
  {
    file: `${RULES}/settle-hold.ts`,
    was: 'bound > served',
    becomes: 'bound >= served',
    reason: 'the difference is zero',
  },
  {
    file: `${RULES}/settle-hold.ts`,
    was: 'rest < leg.amount',
    becomes: 'rest <= leg.amount',
    reason: 'the two parts are equal',
  },
  {
    file: CALL,
    was: 'this.#source?.removeEventListener',
    becomes: 'this.#source.removeEventListener',
    reason: 'a call that follows has a source',
  },
  {
    file: CALL,
    was: '{ once: true }',
    becomes: '{}',
    reason: 'a signal is aborted once; its listener is freed earlier',
  },
  {
    file: CALL,
    was: 'true',
    becomes: 'false',
    reason: 'of `once`: a signal is aborted once; its listener is freed earlier',
  },
  {
    file: FLOW,
    was: 'this.#taken === this.#small.length',
    becomes: 'false',
    reason: 'frees the items that were taken; the order is the same without it',
  },
  {
    file: FLOW,
    was: '{ this.#small = []; this.#taken = 0; }',
    becomes: '{}',
    reason: 'frees the items that were taken; the order is the same without it',
  },
  {
    file: FLOW,
    was: 'taken.length === 0',
    becomes: 'false',
    reason: 'saves a copy of the same items',
  },
];
