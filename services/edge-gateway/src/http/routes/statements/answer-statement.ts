import type { IncomingHttpHeaders } from 'node:http';
import type { StatementMonth } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { invariant } from '@tollgate/errors';
import { readPreference } from '../../answer/accept.js';
import { statementCsv } from './statement-csv.js';
import type { StatementFigures } from './statement-figures.js';

/** A project may have many wallets, and an account many entries. */
export const STATEMENT_TIMEOUT_MS = 60_000;

interface Asked {
  query: { format?: 'json' | 'csv' | undefined };
  headers: IncomingHttpHeaders;
}

/** Returns the statement as JSON, or as a CSV file if the client asks for it by `format` or by its header `Accept`. */
export function answerStatement<T>(
  { query, headers: { accept } }: Asked,
  name: string,
  statement: StatementFigures,
  toJson: (month: StatementMonth) => T,
) {
  const { month } = statement;
  invariant(month !== undefined, 'the statement has no month');
  const format = query.format ?? (prefersCsv(accept) ? 'csv' : 'json');
  const headers = { Vary: 'Accept' };
  if (format === 'json') return { body: { statement: toJson(month) }, headers };
  const csv = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="statement-${name}.csv"`,
  };
  return { headers: { ...headers, ...csv }, chunks: statementCsv(name, statement) };
}

function prefersCsv(accept: string | undefined): boolean {
  const [csv, json] = [readPreference(accept, 'text/csv'), readPreference(accept, 'application/json')];
  if (!csv.isNamed || csv.weight === 0) return false;
  return csv.weight > json.weight || (csv.weight === json.weight && !json.isNamed);
}
