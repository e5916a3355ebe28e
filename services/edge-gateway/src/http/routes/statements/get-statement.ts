import { statementParams, statementQuery, statementSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { answerStatement, STATEMENT_TIMEOUT_MS } from './answer-statement.js';
import { statementJson } from './statement-json.js';

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
