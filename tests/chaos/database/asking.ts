// Requests to all services, one after the other, and the judgment of their answers while the database is not there.
import { expect } from '@jest/globals';
import { type ApiClient, responsesBody } from '@tollgate/testkit';
import { SANDBOX_MODEL, type System } from '../../system/start-system.js';
import type { ChaosHarness } from '../harness.js';

const PAUSE_AFTER_FAILURE_MS = 20;

interface Answer {
  what: string;
  status: number;
  code: string | undefined;
  retryable: boolean | undefined;
}

type Asks = Record<string, () => ReturnType<ApiClient['get']>>;

/** One request per service and kind of caller. */
export async function everyService(
  system: System,
  { project: { owner, api, id }, free }: Pick<ChaosHarness, 'project' | 'free'>,
): Promise<Asks> {
  // The provider's journal lacks the sandbox's answers, so another owner requests them.
  const other = await system.project();
  return {
    balance: () => owner.get('/account/balance'),
    usage: () => owner.get('/account/usage'),
    customers: () => api.get('/customers'),
    tiers: () => owner.get(`/projects/${id}/tiers`),
    webhooks: () => owner.get(`/projects/${id}/webhooks`),
    me: () => free.api.get('/customers/me/usage'),
    models: () => api.get('/models'),
    answer: () => other.api.post('/responses', responsesBody('hello', { model: SANDBOX_MODEL })),
  };
}

export interface Asking {
  /** Answers that were not 200. */
  failed(): Answer[];
  stop(): Promise<void>;
}

/** Sends one request after the other until it is stopped; keeps every answer. */
export function startAsking(asks: Asks): Asking {
  const answers: Answer[] = [];
  let isStopping = false;
  const work = async ([what, send]: [string, Asks[string]]): Promise<void> => {
    while (!isStopping) {
      const { status, body } = await send();
      answers.push({ what, status, code: body?.code, retryable: body?.retryable });
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  };
  const workers = Object.entries(asks).map((entry) => work(entry as [string, Asks[string]]));
  return {
    failed: () => answers.filter(({ status }) => status !== 200),
    stop: async () => {
      isStopping = true;
      await Promise.all(workers);
    },
  };
}

/** Every request that met the fault may be repeated. */
export function expectOnlyRetryable({ failed }: Asking): void {
  // Endpoints with plain-text errors do not say whether a repeat may help.
  expect(failed().filter(({ status, retryable }) => status !== 503 || retryable === false)).toEqual([]);
}
