import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { GetAccountStatementResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ageJournal, sealAll, tamper } from '@tollgate/ledger-audit/testing';
import fc from 'fast-check';
import { previousMonth } from '../../domain/statements/statement.js';
import { findAccount } from '../../store/accounts.js';
import { splitRange } from '../../store/reports/statements.js';
import { journalContext } from '../../testing/journal-context.js';
import {
  admit,
  type CustomerOnTier,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const CENT = 1_000_000n;
const MONTHS = 3;

let harness: LedgerHarness;
let owner: Principal;

beforeEach(async () => {
  // Only the test seals.
  harness = await startLedgerHarness('account_statement', { env: { JOURNAL_CLOSING_LAG: '100000h' } });
  owner = ownerPrincipal();
});
afterEach(() => harness.stop());

type Tally = Map<string, bigint>;
type Step = { kind: 'top_up' | 'promo'; cents: number } | { kind: 'request'; output: number; isOwn: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('top_up' as const, 'promo' as const), cents: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ kind: fc.constant('request' as const), output: fc.integer({ min: 1, max: 150 }), isOwn: fc.boolean() }),
);

const add = (tally: Tally, key: string, amount: bigint): void => {
  if (amount !== 0n) tally.set(key, (tally.get(key) ?? 0n) + amount);
};

async function perform(values: Step, customer: CustomerOnTier, tally: Tally): Promise<void> {
  if (values.kind !== 'request') {
    await fundOwner(harness.billing, owner, BigInt(values.cents) * CENT, values.kind);
    return add(tally, values.kind, BigInt(values.cents) * CENT);
  }
  const as = values.isOwn ? owner : customer.principal;
  const { holdId, decision } = await admit(harness.billing, as);
  if (decision.case === 'refused') return;
  const usage = { inputTokens: 10n, outputTokens: BigInt(values.output) };
  const { ownerMicrocents } = await harness.billing.settle({ holdId, usage }, callAs(as));
  add(tally, `charge ${ECHO}`, -ownerMicrocents);
}

const read = (month: string, as = owner) => harness.billing.getAccountStatement({ month }, callAs(as));

async function readAll(): Promise<GetAccountStatementResponse[]> {
  const { months } = await harness.billing.listAccountStatements({}, callAs(owner));
  return Promise.all(months.toReversed().map(({ month }) => read(month)));
}

function toTally({ lines }: GetAccountStatementResponse): Tally {
  const tally: Tally = new Map();
  for (const { kind, modelId, amountMicrocents } of lines)
    add(tally, modelId ? `${kind} ${modelId}` : kind, amountMicrocents);
  return tally;
}

it('adds up to the prepaid balance after any history, also when the journal is sealed', async () => {
  const history = fc.array(fc.array(step, { minLength: 3, maxLength: 10 }), { minLength: MONTHS, maxLength: MONTHS });
  const [months] = fc.sample(history, 1) as [Step[][]];
  const tallies: Tally[] = [];
  let customer: CustomerOnTier | undefined;
  for (const [index, steps] of months.entries()) {
    const tally: Tally = new Map();
    tallies.push(tally);
    await fundOwner(harness.billing, owner, 1_000n * CENT);
    add(tally, 'top_up', 1_000n * CENT);
    customer ??= await customerOn(harness.billing, owner, { tierCode: 'pro' });
    for (const values of steps) await perform(values, customer, tally);
    if (index === MONTHS - 1) break;
    await ageJournal(harness.database.pool, 1);
    await tamper(harness.database.pool, "UPDATE accounts SET created_at = created_at - interval '1 month'");
  }
  const expected = tallies.map((tally) => new Map([...tally].sort()));
  const check = async () => {
    const statements = await readAll();
    expect(statements.map((statement) => new Map([...toTally(statement)].sort()))).toEqual(expected);
    let balance = 0n;
    for (const { openingMicrocents, closingMicrocents, lines } of statements) {
      expect(openingMicrocents).toBe(balance);
      balance = lines.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, balance);
      expect(closingMicrocents).toBe(balance);
    }
    const account = await findAccount(harness.database.pool, { kind: 'owner', refId: owner.accountId });
    expect(balance).toBe((account?.credits ?? 0n) - (account?.debits ?? 0n));
    return statements.map(({ month }) => month?.state);
  };
  expect(await check()).toEqual(['closed', 'closed', 'open']);
  await sealAll(journalContext(harness.database, {}));
  expect(await check()).toEqual(['final', 'final', 'open']);
});

it('reads months since the account was opened, of that account only', async () => {
  await fundOwner(harness.billing, owner, CENT);
  const present = (await harness.billing.listAccountStatements({}, callAs(owner))).months[0]?.month ?? '';
  expect((await read(present)).closingMicrocents).toBe(CENT);
  for (const month of [previousMonth(present), '9998-01'])
    await expect(read(month)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const stranger = ownerPrincipal();
  await expect(read(present, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await harness.billing.listAccountStatements({}, callAs(stranger))).months).toEqual([]);
});

it('refuses a statement when the journal does not explain the balance', async () => {
  await fundOwner(harness.billing, owner, CENT);
  await tamper(harness.database.pool, "UPDATE accounts SET credits = credits + 1 WHERE kind = 'owner'");
  const [present] = (await harness.billing.listAccountStatements({}, callAs(owner))).months;
  await expect(read(present?.month ?? '')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});

it('splits the entries of an account into chunks of bounded size that lie side by side', async () => {
  const deposits = [1n, 2n, 3n, 4n, 5n].map((cents) => cents * CENT);
  for (const amount of deposits) await fundOwner(harness.billing, owner, amount);
  await fundOwner(harness.billing, ownerPrincipal(), CENT);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'pro' });
  const { holdId } = await admit(harness.billing, customer.principal);
  const usage = { inputTokens: 10n, outputTokens: 10n };
  const { ownerMicrocents } = await harness.billing.settle({ holdId, usage }, callAs(customer.principal));
  const { id = 0n } = (await findAccount(harness.database.pool, { kind: 'owner', refId: owner.accountId })) ?? {};
  const whole = { afterId: 0n, lastId: 2n ** 63n - 1n };
  const chunks: { afterId: bigint; lastId: bigint; netMicrocents: bigint }[] = [];
  for await (const chunk of splitRange(harness.database.pool, id, whole, 2)) chunks.push(chunk);
  expect(chunks.map(({ netMicrocents }) => netMicrocents)).toEqual([
    3n * CENT,
    7n * CENT,
    5n * CENT - ownerMicrocents,
    0n,
  ]);
  expect(ownerMicrocents).toBeGreaterThan(0n);
  expect(chunks.map(({ afterId }) => afterId)).toEqual([0n, ...chunks.slice(0, -1).map(({ lastId }) => lastId)]);
  expect(chunks.at(-1)?.lastId).toBe(whole.lastId);
});
