import { toDecimalString } from '@tollgate/money';
import type { StatementFigures } from './statement-figures.js';

/** Microcents are dollars with eight decimals. */
const DOLLAR_DECIMALS = 8;

/** Yields a statement as lines of CSV (RFC 4180), with exact amounts. */
export async function* statementCsv(month: string, statement: StatementFigures): AsyncGenerator<string> {
  yield row(['month', 'kind', 'model', 'entries', 'amount_microcents', 'amount_usd']);
  yield row([month, 'opening_balance', '', '', ...amount(statement.openingMicrocents)]);
  for (const { kind, modelId, entries, amountMicrocents } of statement.lines)
    yield row([month, kind, modelId, entries.toString(), ...amount(amountMicrocents)]);
  yield row([month, 'closing_balance', '', '', ...amount(statement.closingMicrocents)]);
}

function amount(microcents: bigint): [microcents: string, dollars: string] {
  return [microcents.toString(), toDecimalString(microcents, DOLLAR_DECIMALS)];
}

function row(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
