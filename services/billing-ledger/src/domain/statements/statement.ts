import { invariant } from '@tollgate/errors';

/** Entries of the journal in the wallets of some customers, by kind and model. */
export interface StatementEntries {
  /** The journal's kind. */
  kind: string;
  modelId: string | undefined;
  /** Positive for credits, negative for debits. */
  microcents: bigint;
  /** The part of a charge that is the fee of a tool that the provider ran; negative like the charge. */
  feeMicrocents: bigint;
  entries: bigint;
}

export interface StatementLine {
  kind: string;
  modelId: string | undefined;
  microcents: bigint;
  entries: bigint;
}

/** Balances of the wallets of some customers before and after a month, and the entries in between. */
export interface StatementPart {
  openingMicrocents: bigint;
  closingMicrocents: bigint;
  entries: readonly StatementEntries[];
}

export interface Statement {
  openingMicrocents: bigint;
  closingMicrocents: bigint;
  lines: StatementLine[];
}

/** Kinds of lines by the journal's kinds; other kinds keep their names. */
const LINE_KINDS: Readonly<Record<string, string>> = {
  charge_wallet: 'charge',
  late_wallet: 'charge',
  returned_wallet: 'charge_returned',
  superseded_wallet: 'charge_returned',
  provider_cost: 'charge',
  late_owner: 'charge',
  returned_owner: 'charge_returned',
};

/** The order of the lines; unknown kinds come last. */
const ORDER = [
  'top_up',
  'promo',
  'adjustment',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'credit_withdrawn',
  'charge',
  'tool_fee',
  'charge_returned',
  'forfeited',
  'forfeit_returned',
  'written_off',
  'write_off_returned',
  'promo_returned',
];

/**
 * Adds the parts up. The balances are read independently of the entries, so a statement that does not add up shows a fault
 * of the ledger and is never handed out. With `hasDeletions`, entries of requests were deleted after the month was archived:
 * the sealed balances still have their sum, which becomes one line without a model.
 */
export function addUpStatement(parts: Iterable<StatementPart>, hasDeletions: boolean): Statement {
  const lines = new Map<string, StatementLine>();
  const add = (line: StatementLine): void => {
    if (line.microcents === 0n && line.entries === 0n) return;
    const key = `${line.kind} ${line.modelId ?? ''}`;
    const former = lines.get(key) ?? { ...line, microcents: 0n, entries: 0n };
    lines.set(key, {
      ...former,
      microcents: former.microcents + line.microcents,
      entries: former.entries + line.entries,
    });
  };
  let openingMicrocents = 0n;
  let closingMicrocents = 0n;
  for (const part of parts) {
    openingMicrocents += part.openingMicrocents;
    closingMicrocents += part.closingMicrocents;
    for (const { kind, modelId, microcents, feeMicrocents, entries } of part.entries) {
      add({ kind: LINE_KINDS[kind] ?? kind, modelId, microcents: microcents - feeMicrocents, entries });
      add({ kind: 'tool_fee', modelId, microcents: feeMicrocents, entries: 0n });
    }
  }
  const moved = [...lines.values()].reduce((sum, { microcents }) => sum + microcents, 0n);
  const missing = closingMicrocents - openingMicrocents - moved;
  if (hasDeletions) add({ kind: 'charge', modelId: undefined, microcents: missing, entries: 0n });
  else invariant(missing === 0n, `the statement does not add up: ${missing} microcents are missing`);
  return { openingMicrocents, closingMicrocents, lines: [...lines.values()].sort(compareLines) };
}

function compareLines(a: StatementLine, b: StatementLine): number {
  const byKind = rank(a) - rank(b);
  if (byKind !== 0) return byKind;
  const [left, right] = [`${a.kind} ${a.modelId ?? ''}`, `${b.kind} ${b.modelId ?? ''}`];
  return left < right ? -1 : 1;
}

function rank({ kind }: StatementLine): number {
  const index = ORDER.indexOf(kind);
  return index === -1 ? ORDER.length : index;
}

/** Returns the month after one, both as YYYY-MM. */
export function nextMonth(month: string): string {
  return addMonths(month, 1);
}

/** Returns the month before one, both as YYYY-MM. */
export function previousMonth(month: string): string {
  return addMonths(month, -1);
}

function addMonths(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}
