import type { Used } from './actions.js';

/** Cents per million tokens (= microcents per token) and cents per image. */
export interface Price {
  input: bigint;
  output: bigint;
  image: bigint;
}

const MICROCENTS_PER_CENT = 1_000_000n;

/** The sandbox's models with the catalog's bounds and prices. */
export const CATALOG = {
  text: { id: 'sandbox/echo-1', price: { input: 100n, output: 300n, image: 0n }, maxOutput: 16_384 },
  image: { id: 'sandbox/image-1', price: { input: 0n, output: 0n, image: 4n }, maxOutput: 0 },
} as const;

/** The prices of every tier in the proof. */
const TIER_PRICES: Record<keyof typeof CATALOG, Price> = {
  text: { input: 250n, output: 700n, image: 0n },
  image: { input: 0n, output: 0n, image: 9n },
};

export function priceInTier(model: keyof typeof CATALOG): Price {
  return TIER_PRICES[model];
}

export function computeCost(price: Price, used: Used): bigint {
  return used.input * price.input + used.output * price.output + used.images * price.image * MICROCENTS_PER_CENT;
}

/** Returns the output, up to `wanted`, that `funds` cover besides the rest of the call; undefined if they cover less. */
export function affordableOutput(price: Price, call: Used, wanted: bigint, funds: bigint): bigint | undefined {
  let rest = funds - computeCost(price, { ...call, output: 0n });
  if (rest < 0n) return undefined;
  if (price.output === 0n) return wanted;
  let output = 0n;
  while (output < wanted && rest >= price.output) {
    output += 1n;
    rest -= price.output;
  }
  return output;
}

/** Returns a limit's refusal code (SPEC "Billing admission refusals"). */
export function limitCode(role: string): string {
  const codes: Record<string, string> = {
    allowance: 'TIER_ALLOWANCE_EXHAUSTED',
    wallet: 'WALLET_EMPTY',
    key: 'API_KEY_SPEND_LIMIT_REACHED',
    owner: 'PROVIDER_ACCOUNT_UNFUNDED',
    daily_cap: 'FREE_CREDIT_DAILY_CAP',
  };
  return codes[role] ?? role;
}
