import type { IncomingHttpHeaders } from 'node:http';
import {
  statementParams,
  statementQuery,
  statementSchema,
  statementsQuery,
  statementsSchema,
} from '@tollgate/api/billing';
import type { GetStatementResponse, StatementMonth } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { invariant } from '@tollgate/errors';
import { toDecimalString, toReportNumber } from '@tollgate/money';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { readPreference } from '../../answer/accept.js';
import { defineRoute } from '../../exchange/route.js';

/** A project may have many wallets, and an account many entries. */
export const STATEMENT_TIMEOUT_MS = 60_000;

export const listStatements = defineRoute({
  method: 'GET',
  path: '/projects/:id/statements',
  tag: 'Reports',
  summary: "List the months of a project's statements, newest first",
  operationId: 'listStatements',
  description: "From the present month back to that of the project's first customer.",
  auth: ['owner', 'secret_key'],
  params: z.object({ id: z.string() }),
  query: statementsQuery,
  success: { status: 200, schema: statementsSchema },
  refusals: [404],
  async handler(input, ctx) {
    const { limit, cursor: beforeMonth = '' } = input.query;
    const principal = await requireProject(ctx, input, input.params.id);
    const call = input.call.with({ principal });
    const { months, hasMore } = await ctx.clients.billing.listStatements({ limit, beforeMonth }, call);
    const last = months.at(-1);
    return { body: { statements: months.map(monthJson), ...(hasMore && last && { next_cursor: last.month }) } };
  },
});

export const getStatement = defineRoute({
  method: 'GET',
  path: '/projects/:id/statements/:month',
  tag: 'Reports',
  summary: "Get what moved in the wallets of a project's customers in one month",
  operationId: 'getStatement',
  description:
    "The balance of all wallets before and after the month, and the ledger's journal in between by kind and model. The lines " +
    'add up to the difference exactly. Usage that a subscription includes is not in a statement: no wallet pays for it. With ' +
    '`format=csv` or `Accept: text/csv` the answer is a CSV file.',
  auth: ['owner', 'secret_key'],
  params: statementParams,
  query: statementQuery,
  success: { status: 200, schema: statementSchema },
  alsoAnswers: [{ status: 200, schema: z.string(), contentType: 'text/csv' }],
  refusals: [404],
  timeoutMs: STATEMENT_TIMEOUT_MS,
  async handler(input, ctx) {
    const { month: name } = input.params;
    const principal = await requireProject(ctx, input, input.params.id);
    const statement = await ctx.clients.billing.getStatement({ month: name }, input.call.with({ principal }));
    return answerStatement(input, name, statement, (month) => statementJson(principal.projectId, month, statement));
  },
});

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

export function monthJson({ month, state }: StatementMonth) {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { month, from: from.toISOString(), to: to.toISOString(), state };
}

function statementJson(projectId: string, month: StatementMonth, statement: StatementFigures) {
  return { project_id: projectId, ...figuresJson(month, statement) };
}

export function accountStatementJson(accountId: string, month: StatementMonth, statement: StatementFigures) {
  return { account_id: accountId, ...figuresJson(month, statement) };
}

function figuresJson(month: StatementMonth, statement: StatementFigures) {
  return {
    ...monthJson(month),
    currency: 'usd' as const,
    opening_balance_microcents: toReportNumber(statement.openingMicrocents),
    closing_balance_microcents: toReportNumber(statement.closingMicrocents),
    lines: statement.lines.map(({ kind, modelId, entries, amountMicrocents }) => ({
      kind,
      model: modelId || undefined,
      entries: toReportNumber(entries),
      amount_microcents: toReportNumber(amountMicrocents),
    })),
  };
}

/** Microcents are dollars with eight decimals. */
const DOLLAR_DECIMALS = 8;

/** Yields a statement as lines of CSV (RFC 4180), with exact amounts. */
async function* statementCsv(month: string, statement: StatementFigures): AsyncGenerator<string> {
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

/** A month of a project's wallets or of an owner's balance. */
type StatementFigures = Pick<GetStatementResponse, 'month' | 'openingMicrocents' | 'closingMicrocents' | 'lines'>;
