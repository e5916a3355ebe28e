import { statementParams, statementQuery, statementSchema } from '@tollgate/api/billing';
import { invariant } from '@tollgate/errors';
import { z } from 'zod';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { statementCsv } from './statement-csv.js';
import { statementJson } from './statement-json.js';

/** A project may have many wallets. */
const TIMEOUT_MS = 60_000;

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
  timeoutMs: TIMEOUT_MS,
  async handler(input, ctx) {
    const { month: name } = input.params;
    const principal = await requireProject(ctx, input, input.params.id);
    const statement = await ctx.clients.billing.getStatement({ month: name }, input.call.with({ principal }));
    const { month } = statement;
    invariant(month !== undefined, 'the statement has no month');
    const format = input.query.format ?? (prefersCsv(input.headers.accept) ? 'csv' : 'json');
    const headers = { Vary: 'Accept' };
    if (format === 'json')
      return { body: { statement: statementJson(principal.projectId, month, statement) }, headers };
    const csv = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="statement-${name}.csv"`,
    };
    return { headers: { ...headers, ...csv }, chunks: statementCsv(name, statement) };
  },
});

function prefersCsv(accept = ''): boolean {
  return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}
