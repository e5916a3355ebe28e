import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GetStatementResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { AppError } from '@tollgate/errors';
import { sealJournal } from '@tollgate/ledger-audit';
import { ageJournal, sealAll, tamper } from '@tollgate/ledger-audit/testing';
import { withTransaction } from '@tollgate/postgres';
import fc from 'fast-check';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { previousMonth } from '../../domain/statements/statement.js';
import { findAccount, lockAccounts } from '../../store/accounts.js';
import { insertTransfer } from '../../store/transfers.js';
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
import { deleteOldRows } from '../delete-old-rows.js';

const CENT = 1_000_000n;
const MONTHS = 4;

let harness: LedgerHarness;
let sealing: ReturnType<typeof journalContext>;
let owner: Principal;

beforeEach(async () => {
  // Only the test seals.
  harness = await startLedgerHarness('read_statement', { env: { JOURNAL_CLOSING_LAG: '100000h' } });
  sealing = journalContext(harness.database, { JOURNAL_DELETE_ARCHIVED: '1', HOLD_RETENTION_DAYS: '60' });
  owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 10n ** 12n);
});
afterEach(() => harness.stop());

/** Amounts by kind and model that the test itself has caused. */
type Tally = Map<string, bigint>;

const add = (tally: Tally, key: string, amount: bigint): void => {
  if (amount !== 0n) tally.set(key, (tally.get(key) ?? 0n) + amount);
};

type Step =
  | { kind: 'grant'; reason: string; cents: number }
  | { kind: 'withdraw'; cents: number }
  | { kind: 'request'; output: number; fee: number; isSuperseded: boolean }
  | { kind: 'payment'; entry: 'refund' | 'refund_failed' | 'dispute' | 'dispute_won'; cents: number }
  | { kind: 'delete' };
type PlacedStep = Step & { customer: number };

const cents = fc.integer({ min: 1, max: 900 });
const step: fc.Arbitrary<PlacedStep> = fc
  .tuple(
    fc.oneof(
      fc.record({
        kind: fc.constant('grant' as const),
        reason: fc.constantFrom('top_up', 'promo', 'adjustment'),
        cents,
      }),
      fc.record({ kind: fc.constant('withdraw' as const), cents }),
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('request' as const),
          output: fc.integer({ min: 1, max: 150 }),
          fee: fc.constantFrom(0, 3, 40),
          isSuperseded: fc.boolean(),
        }),
      },
      fc.record({
        kind: fc.constant('payment' as const),
        entry: fc.constantFrom('refund' as const, 'refund_failed' as const, 'dispute' as const, 'dispute_won' as const),
        cents,
      }),
      fc.record({ kind: fc.constant('delete' as const) }),
    ),
    fc.nat({ max: 3 }),
  )
  .map(([values, customer]) => ({ ...values, customer }));

async function readWallet({ id }: CustomerOnTier): Promise<bigint> {
  const wallet = await findAccount(harness.database.pool, { kind: 'wallet', refId: id });
  return wallet ? wallet.credits - wallet.debits : 0n;
}

/** Performs a step and adds what it moved in the wallet to the tally. */
async function perform(values: Step, customer: CustomerOnTier, tally: Tally): Promise<void> {
  const { billing } = harness;
  const call = callAs(owner);
  switch (values.kind) {
    case 'grant': {
      const amountMicrocents = BigInt(values.cents) * CENT;
      const target = { case: 'customerId' as const, value: customer.id };
      await billing.grantCredit({ target, amountMicrocents, reason: values.reason, cause: randomUUID() }, call);
      return add(tally, values.reason, amountMicrocents);
    }
    case 'withdraw': {
      const amountMicrocents = BigInt(values.cents) * CENT;
      const req = { customerId: customer.id, amountMicrocents, cause: randomUUID() };
      const isTaken = await billing.withdrawCredit(req, call).then(
        () => true,
        (error: AppError) => error.code !== 'CONFLICT',
      );
      return isTaken ? add(tally, 'credit_withdrawn', -amountMicrocents) : undefined;
    }
    case 'request':
      return request(values, customer, tally);
    case 'payment': {
      const wallet = await findAccount(harness.database.pool, { kind: 'wallet', refId: customer.id });
      if (!wallet) return;
      const isCredit = values.entry === 'refund_failed' || values.entry === 'dispute_won';
      const other = COUNTER_ACCOUNTS.processorClearing;
      const sides = isCredit ? { debit: other, credit: wallet.id } : { debit: wallet.id, credit: other };
      const amountMicrocents = BigInt(values.cents) * CENT;
      await withTransaction(harness.database.pool, async (tx) => {
        await lockAccounts(tx, [wallet.id]);
        await insertTransfer(tx, { ...sides, amountMicrocents, kind: values.entry, cause: randomUUID() });
      });
      return add(tally, values.entry, isCredit ? amountMicrocents : -amountMicrocents);
    }
    case 'delete': {
      const before = await readWallet(customer);
      await billing.deleteCustomer({ id: customer.id }, call);
      return add(tally, 'closed', (await readWallet(customer)) - before);
    }
  }
}

async function request(
  { output, fee, isSuperseded }: Extract<Step, { kind: 'request' }>,
  customer: CustomerOnTier,
  tally: Tally,
): Promise<void> {
  const { holdId, decision } = await admit(harness.billing, customer.principal);
  if (decision.case === 'refused') return;
  const usage = { inputTokens: BigInt(10 + fee), outputTokens: BigInt(output), toolFeeTokens: BigInt(fee) };
  const call = callAs(customer.principal);
  const { customerMicrocents: charged } = await harness.billing.settle({ holdId, usage }, call);
  const ofFee = BigInt(fee) * 100n < charged ? BigInt(fee) * 100n : charged;
  add(tally, `charge ${ECHO}`, ofFee - charged);
  add(tally, `tool_fee ${ECHO}`, -ofFee);
  if (!isSuperseded) return;
  await harness.holds.supersedeHolds({ holdIds: [holdId] }, call);
  add(tally, `charge_returned ${ECHO}`, charged);
}

const CLOSING = new Set(['forfeited', 'forfeit_returned', 'promo_returned']);

function toTally({ lines }: GetStatementResponse): Tally {
  const tally: Tally = new Map();
  for (const { kind, modelId, amountMicrocents } of lines) {
    const name = CLOSING.has(kind) ? 'closed' : kind;
    add(tally, modelId ? `${name} ${modelId}` : name, amountMicrocents);
  }
  return tally;
}

const read = (month: string, as = owner) => harness.billing.getStatement({ month }, callAs(as));

/** Returns the statements of all months, oldest first. */
async function readAll(as = owner): Promise<GetStatementResponse[]> {
  const { months } = await harness.billing.listStatements({}, callAs(as));
  return Promise.all(months.toReversed().map(({ month }) => read(month, as)));
}

/** Moves customers into earlier months, as `ageJournal` moves what is booked. */
async function ageCustomers(): Promise<void> {
  for (const table of ['customers', 'accounts'])
    await tamper(harness.database.pool, `UPDATE ${table} SET created_at = created_at - interval '1 month'`);
}

function expectSums(statements: readonly GetStatementResponse[]): void {
  let balance = 0n;
  for (const { openingMicrocents, closingMicrocents, lines } of statements) {
    expect(openingMicrocents).toBe(balance);
    balance = lines.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, balance);
    expect(closingMicrocents).toBe(balance);
  }
}

const newCustomer = (as: Principal) => customerOn(harness.billing, as, { tierCode: 'paygo', billingMode: 'paygo' });

describe('all statements', () => {
  it('adds up to the balances of the wallets after any history, however far the journal is sealed', async () => {
    const history = fc.array(fc.array(step, { minLength: 3, maxLength: 10 }), { minLength: MONTHS, maxLength: MONTHS });
    const [months] = fc.sample(history, 1) as [PlacedStep[][]];
    const other = ownerPrincipal({ accountId: owner.accountId });
    const stranger = await newCustomer(other);
    // In another project of the same account.
    await harness.billing.grantCredit(
      {
        target: { case: 'customerId', value: stranger.id },
        amountMicrocents: CENT,
        reason: 'promo',
        cause: randomUUID(),
      },
      callAs(other),
    );
    const customers: CustomerOnTier[] = [];
    const tallies: Tally[] = [];
    for (const [index, steps] of months.entries()) {
      const made = await newCustomer(owner);
      customers.push(made);
      const tally: Tally = new Map();
      tallies.push(tally);
      await perform({ kind: 'grant', reason: 'top_up', cents: 500 }, made, tally);
      await perform({ kind: 'request', output: 80, fee: 3, isSuperseded: false }, made, tally);
      for (const { customer, ...values } of steps) {
        const [chosen] = customers.splice(customer % customers.length, 1);
        if (!chosen) continue;
        await perform(values, chosen, tally);
        if (values.kind !== 'delete') customers.push(chosen);
      }
      if (index === MONTHS - 1) break;
      await ageJournal(harness.database.pool, 1);
      await ageCustomers();
    }
    const expected = tallies.map((tally) => new Map([...tally].sort()));
    const check = async () => {
      const statements = await readAll();
      expectSums(statements);
      expect(statements.map((statement) => new Map([...toTally(statement)].sort()))).toEqual(expected);
      const { rows } = await harness.database.pool.query<{ total: bigint }>(
        `SELECT sum(a.credits - a.debits)::bigint AS total FROM accounts a WHERE a.kind = 'wallet' AND a.ref_id IN
           (SELECT id FROM customers WHERE project_id = $1 UNION SELECT id FROM deleted_customers WHERE project_id = $1)`,
        [owner.projectId],
      );
      expect(statements.at(-1)?.closingMicrocents).toBe(rows[0]?.total);
      return statements.map(({ month }) => month?.state);
    };
    expect(await check()).toEqual(['closed', 'closed', 'closed', 'open']);
    for (let steps = 0; steps < 7; steps++) await sealJournal(sealing);
    expect((await check())[0]).toBe('final');
    await sealAll(sealing);
    expect(await check()).toEqual(['final', 'final', 'final', 'open']);
  });
});

describe('a statement', () => {
  let customer: CustomerOnTier;
  let present: string;
  const grant = (amount: number) => perform({ kind: 'grant', reason: 'top_up', cents: amount }, customer, new Map());
  const charge = () => perform({ kind: 'request', output: 90, fee: 0, isSuperseded: false }, customer, new Map());

  beforeEach(async () => {
    customer = await newCustomer(owner);
    present = (await harness.billing.listStatements({}, callAs(owner))).months[0]?.month ?? '';
  });

  it('keeps its sums when the charges of an archived month are deleted', async () => {
    await grant(500);
    await charge();
    await ageJournal(harness.database.pool, 5);
    for (let i = 0; i < 5; i++) await ageCustomers();
    await charge();
    await sealAll(sealing);
    const before = await readAll();
    expect(before[0]?.lines.map(({ kind, modelId }) => [kind, modelId])).toEqual([
      ['top_up', ''],
      ['charge', ECHO],
    ]);
    await harness.database.pool.query('UPDATE journal_months SET archived_at = now()');
    while (await deleteOldRows(sealing));
    const after = await readAll();
    expectSums(after);
    expect(after[0]?.lines).toMatchObject([
      { kind: 'top_up' },
      { kind: 'charge', modelId: '', amountMicrocents: -28_000n },
    ]);
    expect(after.map(({ closingMicrocents }) => closingMicrocents)).toEqual(
      before.map(({ closingMicrocents }) => closingMicrocents),
    );
  });

  it('refuses a statement when the journal does not explain a balance', async () => {
    await grant(500);
    await tamper(harness.database.pool, `UPDATE accounts SET credits = credits + 1 WHERE kind = 'wallet'`);
    await expect(read(present)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('reads months from the first customer to the present one, in one project only', async () => {
    await grant(500);
    const stranger = ownerPrincipal();
    await expect(read(previousMonth(present))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read('9998-01')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read('2026-13')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(read(present, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await harness.billing.listStatements({}, callAs(stranger))).months).toEqual([]);
    const foreign = ownerPrincipal({ projectId: owner.projectId });
    expect((await read(present, foreign)).lines).toEqual([]);
  });

  it('lists months newest first, in pages', async () => {
    for (let i = 0; i < 3; i++) await ageCustomers();
    const list = (limit: number, beforeMonth = '') =>
      harness.billing.listStatements({ limit, beforeMonth }, callAs(owner));
    const all = (await list(10)).months.map(({ month }) => month);
    expect(all).toEqual([
      present,
      ...[1, 2, 3].map((n) => Array.from({ length: n }).reduce<string>(previousMonth, present)),
    ]);
    const first = await list(3);
    expect([first.months.map(({ month }) => month), first.hasMore]).toEqual([all.slice(0, 3), true]);
    const rest = await list(3, all[2]);
    expect([rest.months.map(({ month }) => month), rest.hasMore]).toEqual([all.slice(3), false]);
  });
});
