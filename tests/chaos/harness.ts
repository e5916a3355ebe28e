// One owner with payers of every kind, and the final comparison of everything that they requested.
import { expect } from '@jest/globals';
import { type ApiClient, type JournalEntry, readJournal, responsesBody, runBody, waitUntil } from '@tollgate/testkit';
import { must, type System, type TestCustomer, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import type { Asked } from './loads/load.js';
import { type Evidence, type Reckoning, reckon } from './reckoning.js';

/** The tiers of the harness and tests/system/models.json. */
export const CUSTOMER_PRICE = { input: 200n, output: 600n };
export const CATALOG_PRICE = { input: 150n, output: 450n };
const FUNDS_CENTS = 100_000;
export const WALLET_MICROCENTS = 1_000_000_000n;
/** Lifetime of a hold that is not settled, plus the sweeper's interval and a slow machine on top. */
const SETTLING_MS = 60_000;
const RUN_MS = 90_000;

export interface ChaosHarness {
  project: TestProject;
  ownerAccountId: string;
  /** A customer on a tier with a spend limit. */
  free: TestCustomer;
  wallet: TestCustomer;
  /** Both customers, the owner, and the owner on behalf of a customer. */
  payers: ApiClient[];
  /** Calls that the provider got on behalf of this harness. */
  calls(): JournalEntry[];
}

/** A new owner. Earlier entries of the journal file belong to other tests. */
export async function openHarness(system: System, journalFile: string): Promise<ChaosHarness> {
  const project = await system.project({ fundsCents: FUNDS_CENTS });
  const free = await project.customerOn('free');
  const wallet = await project.customerOn('paygo', { walletMicrocents: WALLET_MICROCENTS });
  const scoped = system.anonymous.as({
    authorization: `Bearer ${project.secretKey}`,
    'x-service-customer-id': free.id,
  });
  const [row] = await system.query<{ account_id: string }>(
    'SELECT account_id FROM billing_ledger.customers WHERE id = $1',
    [free.id],
  );
  const callsBefore = readJournal(journalFile).length;
  return {
    project,
    ownerAccountId: row?.account_id ?? '',
    free,
    wallet,
    payers: [free.api, wallet.api, project.api, scoped],
    calls: () => readJournal(journalFile).slice(callsBefore),
  };
}

/** A request to the fake provider; the text controls its answer. */
export function upstreamRequest(text: string, maxOutputTokens = 60): object {
  return responsesBody(text, { model: UPSTREAM_MODEL, max_output_tokens: maxOutputTokens });
}

/** A run of model steps one after the other. */
export function buildRun(ids: readonly string[], input: object): object {
  const nodes = ids.map((id) => ({ id, type: 'llm.responses', input }));
  const edges = ids.slice(1).map((to, i) => ({ from: ids[i], to }));
  return runBody('', { nodes, edges, outputs: [{ name: 'answer', from: ids.at(-1) }] });
}

/** A started run finishes, and its event log has no gaps. */
export async function expectRunSucceeds(payer: ApiClient, runId: string, timeoutMs = RUN_MS): Promise<void> {
  const run = await waitUntil(
    async () => {
      const snapshot = must(await payer.get(`/runs/${runId}`), 200);
      return ['running', 'waiting'].includes(snapshot.status) ? undefined : snapshot;
    },
    { what: 'the end of the run', timeoutMs },
  );
  expect({ status: run.status, error: run.error }).toEqual({ status: 'succeeded', error: undefined });
  const events = await payer.ndjson(`/runs/${runId}/events?wait=false`).then((stream) => stream.all());
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
}

interface ReckoningOptions extends Pick<Evidence, 'hasNoDeaths' | 'lost'> {
  settlingMs?: number;
}

/** Waits until no request is running, then compares provider, clients and ledger. */
export async function expectNothingLost(
  system: System,
  harness: ChaosHarness,
  asked: readonly Asked[],
  { settlingMs = SETTLING_MS, hasNoDeaths = false, lost }: ReckoningOptions = {},
): Promise<Reckoning> {
  await waitUntil(async () => (await countOpenHolds(system, harness)) === 0 && harness.calls().every(hasEnded), {
    what: 'every hold and every call to end',
    timeoutMs: settlingMs,
  });
  const reckoning = await reckon(system, {
    ownerAccountId: harness.ownerAccountId,
    journal: harness.calls(),
    asked,
    catalogPrice: CATALOG_PRICE,
    customerPrice: CUSTOMER_PRICE,
    hasNoDeaths,
    ...(lost && { lost }),
  });
  expect(reckoning.violations).toEqual([]);
  expect(await harness.project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  await expectBalances(harness, reckoning);
  return reckoning;
}

export async function countOpenHolds(system: System, { ownerAccountId }: ChaosHarness): Promise<number | undefined> {
  const [row] = await system.query<{ open: number }>(
    'SELECT count(*)::int AS open FROM billing_ledger.holds WHERE owner_account_id = $1 AND state = 0',
    [ownerAccountId],
  );
  return row?.open;
}

function hasEnded({ outcome }: JournalEntry): boolean {
  return outcome !== 'open';
}

/** Balance = funds − posted, for the wallet and for the owner; the allowance shows the same sum as usage. */
async function expectBalances({ project, free, wallet }: ChaosHarness, { holds }: Reckoning): Promise<void> {
  const all = [...holds.values()];
  const sum = (amounts: (string | null)[]) => amounts.reduce((total, amount) => total + Number(amount ?? 0), 0);
  const paidBy = (id: string) => sum(all.filter((h) => h.customer_id === id).map((h) => h.customer_microcents));
  expect(must(await wallet.api.get('/customers/me/balance'), 200)).toMatchObject({
    balance_microcents: Number(WALLET_MICROCENTS) - paidBy(wallet.id),
    reserved_microcents: 0,
  });
  expect(must(await project.owner.get('/account/balance'), 200).balance_microcents).toBe(
    FUNDS_CENTS * 1_000_000 - sum(all.map((hold) => hold.owner_microcents)),
  );
  const ofFree = all.filter((hold) => hold.customer_id === free.id);
  expect(must(await free.api.get('/customers/me/usage'), 200).usage).toMatchObject({
    total_cost_microcents: paidBy(free.id),
    tokens: sum(ofFree.flatMap((hold) => [hold.input_tokens, hold.output_tokens])),
  });
}
