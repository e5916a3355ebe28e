import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Action, Ask, PayerId, Used } from './actions.js';

/** A command with places such as "the third hold" instead of ids, so that a shortened sequence stays valid. */
export type Step =
  | { kind: 'tier'; mode: 'subscription' | 'overage' | 'paygo'; cents: number | undefined }
  | { kind: 'tier_limit'; tier: number; cents: number | undefined }
  | { kind: 'customer'; tier: number }
  | { kind: 'subscribe'; customer: number; tier: number; status: string }
  | { kind: 'account_limit'; limit: 'daily_cap' | 'quota'; amount: number | undefined }
  | { kind: 'grant'; customer: number | undefined; amount: number; reason: string }
  | { kind: 'admit'; payer: number; asks: Omit<Ask, 'holdId'>[]; supersedes: number | undefined }
  | { kind: 'extend'; hold: number; extension: number; input: number; maxOutput: number | undefined }
  | { kind: 'progress'; hold: number; share: number }
  | { kind: 'settle'; hold: number; share: number; isInDoubt: boolean }
  | { kind: 'expire'; hold: number }
  | { kind: 'advance'; byMs: number };

const HOUR_MS = 3_600_000;
const place = fc.nat({ max: 30 });
const cents = fc.option(fc.nat({ max: 3 }), { nil: undefined });
const maxOutput = fc.option(fc.integer({ min: 1, max: 1_500 }), { nil: undefined });
/** Hundredths of the requested amount: nothing, a part, all, more than all. */
const share = fc.oneof(fc.constantFrom(0, 50, 100), fc.nat({ max: 250 }));

const text = fc.record({
  model: fc.constant('text' as const),
  input: fc.bigInt({ min: 0n, max: 400n }),
  maxOutput,
  images: fc.constant(0),
  isLoose: fc.boolean(),
});
const image = fc.record({
  model: fc.constant('image' as const),
  input: fc.constant(0n),
  maxOutput: fc.constant(undefined),
  images: fc.integer({ min: 1, max: 2 }),
  isLoose: fc.constant(false),
});

const admit = fc
  .record({
    payer: place,
    asks: fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: image }), {
      minLength: 1,
      maxLength: 3,
    }),
    supersedes: fc.option(place, { nil: undefined, freq: 3 }),
  })
  .map((values) => ({
    kind: 'admit' as const,
    ...values,
    // A superseding attempt is a single request and names a single hold.
    asks: values.supersedes === undefined ? values.asks : values.asks.slice(0, 1),
  }));

const of = <K extends Step['kind'], T extends object>(kind: K, values: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...values });

/** Commands of requests; safe to run in any order. */
export const traffic = fc.oneof(
  { weight: 10, arbitrary: admit },
  {
    weight: 3,
    arbitrary: of('extend', { hold: place, extension: fc.constantFrom(1, 2), input: fc.nat(300), maxOutput }),
  },
  { weight: 3, arbitrary: of('progress', { hold: place, share }) },
  { weight: 8, arbitrary: of('settle', { hold: place, share, isInDoubt: fc.boolean() }) },
  { weight: 3, arbitrary: of('expire', { hold: place }) },
) as fc.Arbitrary<Step>;

/** Commands of owners. */
const upkeep = fc.oneof(
  of('tier', { mode: fc.constantFrom('subscription', 'overage', 'paygo'), cents }),
  of('tier_limit', { tier: place, cents }),
  of('customer', { tier: place }),
  of('subscribe', { customer: place, tier: place, status: fc.constantFrom('active', 'active', 'past_due', 'unpaid') }),
  of('account_limit', {
    limit: fc.constantFrom('daily_cap', 'quota'),
    amount: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
  }),
  of('grant', {
    customer: fc.option(place, { nil: undefined }),
    amount: fc.integer({ min: 1, max: 4_000_000 }),
    reason: fc.constantFrom('top_up', 'promo', 'adjustment'),
  }),
  of('advance', { byMs: fc.constantFrom(HOUR_MS, 24 * HOUR_MS, 31 * 24 * HOUR_MS) }),
) as fc.Arbitrary<Step>;

/** Creates tiers and customers and grants a small balance. */
const opening: fc.Arbitrary<Step[]> = fc.tuple(
  of('tier', { mode: fc.constantFrom('subscription', 'overage', 'paygo'), cents }),
  of('customer', { tier: fc.constant(0) }),
  of('grant', {
    customer: fc.constant(undefined),
    amount: fc.integer({ min: 1, max: 9_000_000 }),
    reason: fc.constantFrom('top_up', 'promo'),
  }),
  of('grant', {
    customer: fc.constant(0),
    amount: fc.integer({ min: 1, max: 4_000_000 }),
    reason: fc.constant('top_up'),
  }),
) as fc.Arbitrary<Step[]>;

export function stepsOfOneThread(maxLength: number): fc.Arbitrary<Step[]> {
  const step = fc.oneof({ weight: 4, arbitrary: traffic }, { weight: 1, arbitrary: upkeep });
  return fc.tuple(opening, fc.array(step, { minLength: 1, maxLength })).map(([first, rest]) => [...first, ...rest]);
}

/** Rounds of steps; the steps of a round run concurrently. */
export function roundsAtOnce(rounds: number, atOnce: number): fc.Arbitrary<{ opening: Step[]; rounds: Step[][] }> {
  const round = fc.array(traffic, { minLength: 2, maxLength: atOnce });
  return fc.record({ opening, rounds: fc.array(round, { minLength: 1, maxLength: rounds }) });
}

interface KnownHold {
  holdId: string;
  most: Used;
}

/** Resolves the places of steps to ids of tiers, customers, payers and holds. */
export class Cast {
  readonly #tiers: string[] = [];
  readonly #customers: string[] = [];
  readonly #payers: PayerId[] = [];
  readonly #holds: KnownHold[] = [];

  constructor() {
    const nobody = { customerId: undefined, byob: false };
    this.#payers.push({ ...nobody, keyId: randomUUID(), keyLimit: undefined });
    this.#payers.push({ ...nobody, keyId: randomUUID(), keyLimit: 600_000n });
  }

  /** Returns undefined if the place that the step names does not exist yet. */
  async nameStep(step: Step, newCustomer: () => Promise<string>): Promise<Action | undefined> {
    switch (step.kind) {
      case 'tier':
        return this.#newTier(step);
      case 'tier_limit': {
        const code = pick(this.#tiers, step.tier);
        if (!code || code.startsWith('paygo')) return undefined;
        return { kind: 'tier_limit', code, limitCents: toBigInt(step.cents) };
      }
      case 'customer':
        return this.#newCustomer(step.tier, await newCustomer());
      case 'subscribe': {
        const customerId = pick(this.#customers, step.customer);
        const tierCode = pick(this.#tiers, step.tier);
        return customerId && tierCode ? { kind: 'subscribe', customerId, tierCode, status: step.status } : undefined;
      }
      case 'account_limit':
        return { kind: 'account_limit', limit: step.limit, amount: toBigInt(step.amount) };
      case 'grant': {
        const customerId = step.customer === undefined ? undefined : pick(this.#customers, step.customer);
        return { kind: 'grant', customerId, amount: BigInt(step.amount), reason: step.reason, cause: randomUUID() };
      }
      case 'admit':
        return this.#admit(step);
      case 'advance':
        return step;
      default:
        return this.#ofHold(step);
    }
  }

  /** Makes admitted holds available to later steps. */
  remember(action: Action, isAdmitted: (place: number) => boolean): void {
    if (action.kind !== 'admit') return;
    action.asks.forEach(({ holdId, input, maxOutput, images }, i) => {
      const most = { input, output: BigInt(maxOutput ?? 400), images: BigInt(images) };
      if (isAdmitted(i)) this.#holds.push({ holdId, most });
    });
  }

  get holds(): readonly string[] {
    return this.#holds.map(({ holdId }) => holdId);
  }

  #newTier({ mode, cents }: Extract<Step, { kind: 'tier' }>): Action {
    const code = `${mode}${this.#tiers.length}`;
    this.#tiers.push(code);
    const isPaygo = mode === 'paygo';
    return {
      kind: 'tier',
      code,
      mode: isPaygo ? 'paygo' : 'subscription',
      limitCents: isPaygo ? undefined : toBigInt(cents),
      hasOverage: mode === 'overage',
    };
  }

  #newCustomer(tier: number, customerId: string): Action | undefined {
    const tierCode = pick(this.#tiers, tier);
    if (!tierCode) return undefined;
    this.#customers.push(customerId);
    const payer = { customerId, keyId: undefined, keyLimit: undefined, byob: false };
    // Requests of customers are the common case.
    this.#payers.push(payer, payer, payer);
    if (this.#customers.length === 1) this.#payers.push({ ...payer, byob: true });
    return { kind: 'customer', customerId, tierCode };
  }

  #admit({ payer, asks, supersedes }: Extract<Step, { kind: 'admit' }>): Action {
    return {
      kind: 'admit',
      payer: pick(this.#payers, payer) as PayerId,
      asks: asks.map((ask) => ({ ...ask, holdId: randomUUID() })),
      // The first one supersedes an attempt that was never admitted.
      supersedes: supersedes === undefined ? undefined : (pick(this.#holds, supersedes)?.holdId ?? randomUUID()),
    };
  }

  #ofHold(step: Extract<Step, { hold: number }>): Action | undefined {
    const hold = pick(this.#holds, step.hold);
    if (!hold) return undefined;
    const { holdId, most } = hold;
    if (step.kind === 'expire') return { kind: 'expire', holdId };
    if (step.kind === 'extend') {
      const { extension, input, maxOutput } = step;
      return { kind: 'extend', holdId, extension, input: BigInt(input), maxOutput };
    }
    const part = (amount: bigint): bigint => (amount * BigInt(step.share)) / 100n;
    const used = { input: part(most.input), output: part(most.output), images: part(most.images) };
    if (step.kind === 'progress') return { kind: 'progress', holdId, used };
    return { kind: 'settle', holdId, used, isInDoubt: step.isInDoubt };
  }
}

function pick<T>(from: readonly T[], place: number): T | undefined {
  return from[place % from.length];
}

function toBigInt(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
