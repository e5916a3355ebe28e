// A system that stores responses and conversations, in front of one server that plays every vendor.
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { type Mode, must, type System, startSystem, type TestCustomer, type TestProject } from './start-system.js';
import { START_MS } from './use-system.js';
import { toVendorEnv, VENDOR_KEY } from './vendor-env.js';

/** The price of a million tokens of each model for a customer, in cents. */
export const PRICE = { input: 200, output: 600 };

export interface StoredState {
  upstream: FakeProvider;
  system: System;
  project: TestProject;
  /** A customer whose tier offers the models; the first is the default. */
  customerOf: (models: readonly string[]) => Promise<TestCustomer>;
  stop: () => Promise<void>;
}

/** What {@link useStoredState} registers; the fields of `state` and `customer` are set when a test runs. */
export interface StoredStateHooks {
  state: StoredState;
  /** A new one for each test. */
  customer: TestCustomer;
  newCustomer: () => Promise<TestCustomer>;
  /** All that `customer` has spent, in microcents. */
  spent: () => Promise<number>;
}

/** Registers hooks that start and stop the system, and create a customer of these models for each test. */
export function useStoredState(models: readonly string[], mode: Mode = 'one process'): StoredStateHooks {
  const state = {} as StoredState;
  const customer = {} as TestCustomer;
  const newCustomer = () => state.customerOf(models);
  beforeAll(async () => {
    Object.assign(state, await startStoredState(mode));
  }, START_MS);
  afterAll(() => state.stop?.(), START_MS);
  beforeEach(async () => {
    Object.assign(customer, await newCustomer());
  });
  return { state, customer, newCustomer, spent: () => readSpent(customer) };
}

/** Starts the vendors' server, the whole product, and a project. */
async function startStoredState(mode: Mode): Promise<StoredState> {
  const upstream = await startFakeProvider({ apiKey: VENDOR_KEY });
  const system = await startSystem({
    mode,
    env: {
      ...toVendorEnv(upstream),
      OPENAI_RESPONSES_API: '1',
      RESPONSE_STORAGE: '1',
    },
  });
  const project = await system.project();
  return {
    upstream,
    system,
    project,
    customerOf: (models) =>
      project.customerOn('free', { spendLimitCents: 100_000, tier: { models: offerModels(models) } }),
    stop: async () => {
      await system.stop();
      await upstream.stop();
    },
  };
}

/** The models of a tier at {@link PRICE}; the first is the default. */
export function offerModels(models: readonly string[]): object[] {
  return models.map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    input_price_per_million_cents: PRICE.input,
    output_price_per_million_cents: PRICE.output,
  }));
}

/** The price of a response for a customer at {@link PRICE}, in microcents. */
export function computeCost({ usage }: OpenAI.Responses.Response): number {
  return usage!.input_tokens * PRICE.input + usage!.output_tokens * PRICE.output;
}

/** All that a customer has spent, in microcents. */
export async function readSpent(customer: TestCustomer): Promise<number> {
  return must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
}
