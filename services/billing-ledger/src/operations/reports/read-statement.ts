import type {
  GetStatementRequest,
  ListStatementsRequest,
  StatementMonth,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { findLastTransfer, type JournalMonth, readMonths } from '@tollgate/ledger-audit';
import type { Tx } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import {
  addUpStatement,
  nextMonth,
  previousMonth,
  type Statement,
  type StatementEntries,
  type StatementPart,
} from '../../domain/statements/statement.js';
import {
  readAccountBounds,
  readMonthBounds,
  readWallets,
  type SealedPoint,
  splitRange,
  sumBalancesAt,
  sumBalancesBefore,
  sumEntries,
} from '../../store/reports/statements.js';
import { toPage } from './page.js';

export type StatementState = 'open' | 'closed' | 'final';
type Month = Pick<StatementMonth, 'month'> & { state: StatementState };

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const LAST_ID = 2n ** 63n - 1n;

/** Lists the months of a project from the present one back to that of its first customer. @throws AppError INVALID_INPUT */
export async function listStatements(
  ctx: Pick<Context, 'pool'>,
  { projectId }: Principal,
  { limit, beforeMonth }: Pick<ListStatementsRequest, 'limit' | 'beforeMonth'>,
): Promise<{ months: Month[]; hasMore: boolean }> {
  return listMonths(ctx, await readMonthBounds(ctx.pool, projectId), { limit, beforeMonth });
}

/** Lists the months of an owner account from the present one back to that in which it was opened. @throws AppError INVALID_INPUT */
export async function listAccountStatements(
  ctx: Pick<Context, 'pool'>,
  { accountId }: Principal,
  page: Pick<ListStatementsRequest, 'limit' | 'beforeMonth'>,
): Promise<{ months: Month[]; hasMore: boolean }> {
  return listMonths(ctx, await readAccountBounds(ctx.pool, accountId), page);
}

async function listMonths(
  ctx: Pick<Context, 'pool'>,
  { present, first }: { present: string; first: string | null },
  { limit, beforeMonth }: Pick<ListStatementsRequest, 'limit' | 'beforeMonth'>,
): Promise<{ months: Month[]; hasMore: boolean }> {
  const { take } = toPage({ limit, offset: 0 });
  const sealed = new Set((await readMonths(ctx.pool)).filter(isSealed).map(toName));
  const months: Month[] = [];
  const isLater = beforeMonth === '' || requireMonth(beforeMonth) > present;
  let month = isLater ? present : previousMonth(beforeMonth);
  for (; first !== null && month >= first && months.length < take; month = previousMonth(month))
    months.push({ month, state: toState(month, present, sealed.has(month)) });
  return { months, hasMore: first !== null && month >= first };
}

/**
 * Returns what moved in the wallets of a project's customers in one month. A month is the range of the
 * journal that is or will be sealed as this month. Reads one snapshot in bounded chunks.
 *
 * @throws AppError NOT_FOUND before the project's first customer and after the present month; INVALID_INPUT. A transient
 * error while too many statements of the account are read, or if a chunk takes too long
 */
export async function readStatement(
  ctx: Pick<Context, 'statements'>,
  { accountId, projectId }: Principal,
  req: Pick<GetStatementRequest, 'month'>,
  call: Pick<Call, 'signal' | 'remainingMs'>,
): Promise<Statement & { month: Month }> {
  const name = requireMonth(req.month);
  const read = async (tx: Tx) => {
    const { present, first } = await readMonthBounds(tx, projectId);
    if (first === null || name < first || name > present)
      throw new AppError('NOT_FOUND', `the project has no statement of ${name}`);
    const range = await findRange(tx, name, present);
    const parts: StatementPart[] = [];
    for await (const wallets of readWallets(tx, { ownerAccountId: accountId, projectId })) {
      call.signal.throwIfAborted();
      parts.push(await readPart(tx, wallets, range));
    }
    const state = toState(name, present, range.sealed !== undefined);
    return { ...addUpStatement(parts, range.sealed?.deleted_to != null), month: { month: name, state } };
  };
  return ctx.statements.read(accountId, call, read);
}

/**
 * Returns what moved in an owner's prepaid balance in one month, under the same rules.
 *
 * @throws AppError NOT_FOUND before the account was opened and after the present month; INVALID_INPUT
 */
export async function readAccountStatement(
  ctx: Pick<Context, 'statements'>,
  { accountId }: Principal,
  req: Pick<GetStatementRequest, 'month'>,
  call: Pick<Call, 'signal' | 'remainingMs'>,
): Promise<Statement & { month: Month }> {
  const name = requireMonth(req.month);
  const read = async (tx: Tx) => {
    const { present, first, account } = await readAccountBounds(tx, accountId);
    if (first === null || account === null || name < first || name > present)
      throw new AppError('NOT_FOUND', `the account has no statement of ${name}`);
    const range = await findRange(tx, name, present);
    const part = await readAccountPart(tx, account, range, call.signal);
    const state = toState(name, present, range.sealed !== undefined);
    return { ...addUpStatement([part], range.sealed?.deleted_to != null), month: { month: name, state } };
  };
  return ctx.statements.read(accountId, call, read);
}

/** The transfers of a month. */
interface Range {
  afterId: bigint;
  lastId: bigint;
  opening: SealedPoint;
  /** Undefined if only the present sums of the wallets show what was left at the end. */
  closing: SealedPoint | undefined;
  /** Set if the month is sealed. */
  sealed?: JournalMonth;
}

async function findRange(tx: Tx, name: string, present: string): Promise<Range> {
  const months = await readMonths(tx);
  const before = months.findLast((month) => toName(month) < name);
  const sealedBefore = months.findLast((month) => isSealed(month) && toName(month) < name);
  const point = (upTo: bigint, sealed = sealedBefore): SealedPoint => ({
    sealedMonth: sealed?.month,
    sealedTo: sealed?.last_id ?? 0n,
    upTo,
  });
  const own = months.find((month) => toName(month) === name);
  if (own) {
    const range = { afterId: own.after_id, lastId: own.last_id, opening: point(own.after_id) };
    return isSealed(own)
      ? { ...range, closing: point(own.last_id, own), sealed: own }
      : { ...range, closing: undefined };
  }
  // A month before the first transfer of all.
  if (months.some((month) => toName(month) > name))
    return { afterId: 0n, lastId: 0n, opening: point(0n), closing: point(0n) };
  const afterId = await findLastTransfer(tx, before?.last_id ?? 0n, toStart(name));
  const lastId = name === present ? LAST_ID : await findLastTransfer(tx, afterId, toStart(nextMonth(name)));
  return { afterId, lastId, opening: point(afterId), closing: undefined };
}

async function readPart(
  tx: Tx,
  wallets: readonly bigint[],
  { opening, closing, ...range }: Range,
): Promise<StatementPart> {
  return {
    openingMicrocents: await sumBalancesAt(tx, wallets, opening),
    closingMicrocents: closing
      ? await sumBalancesAt(tx, wallets, closing)
      : await sumBalancesBefore(tx, wallets, range.lastId),
    entries: await sumEntries(tx, wallets, range),
  };
}

/** Reads the transfers of an account with many of them in chunks, also those that only its balances need. */
async function readAccountPart(
  tx: Tx,
  account: bigint,
  { opening, closing, ...range }: Range,
  signal: AbortSignal,
): Promise<StatementPart> {
  const sumNet = async (afterId: bigint, lastId: bigint): Promise<bigint> => {
    let net = 0n;
    for await (const { netMicrocents } of splitRange(tx, account, { afterId, lastId })) {
      signal.throwIfAborted();
      net += netMicrocents;
    }
    return net;
  };
  const readAt = async (point: SealedPoint): Promise<bigint> => {
    const sealed = await sumBalancesAt(tx, [account], { ...point, upTo: point.sealedTo });
    return sealed + (await sumNet(point.sealedTo, point.upTo));
  };
  const readBefore = async (upTo: bigint): Promise<bigint> =>
    (await sumBalancesBefore(tx, [account], LAST_ID)) - (await sumNet(upTo, LAST_ID));
  const entries: StatementEntries[] = [];
  for await (const chunk of splitRange(tx, account, range)) {
    signal.throwIfAborted();
    entries.push(...(await sumEntries(tx, [account], chunk)));
  }
  const openingMicrocents = await readAt(opening);
  const closingMicrocents = closing ? await readAt(closing) : await readBefore(range.lastId);
  return { openingMicrocents, closingMicrocents, entries };
}

const isSealed = ({ state }: JournalMonth): boolean => state === 'sealed';
const toName = ({ month }: JournalMonth): string => month.slice(0, 7);
const toStart = (name: string): Date => new Date(`${name}-01T00:00:00Z`);

function toState(name: string, present: string, isFinal: boolean): StatementState {
  if (name >= present) return 'open';
  return isFinal ? 'final' : 'closed';
}

function requireMonth(month: string): string {
  if (!MONTH.test(month)) throw new AppError('INVALID_INPUT', 'the month must have the form YYYY-MM');
  return month;
}
