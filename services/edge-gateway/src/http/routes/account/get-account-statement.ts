import { accountStatementParams, accountStatementSchema, statementQuery } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { answerStatement, STATEMENT_TIMEOUT_MS } from '../statements/answer-statement.js';
import { accountStatementJson } from '../statements/statement-json.js';
import { requireOwnAccount } from './require-own-account.js';

export const getAccountStatement = defineRoute({
  method: 'GET',
  path: '/account/statements/:month',
  tag: 'Account',
  summary: "Get what moved in the owner's prepaid balance in one month",
  operationId: 'getAccountStatement',
  description:
    "The balance before and after the month, and the ledger's journal in between by kind and model: top-ups, and what " +
    'providers were paid for all projects. The lines add up to the difference exactly. With `format=csv` or ' +
    '`Accept: text/csv` the answer is a CSV file. Members who belong to another account, and keys that they created or ' +
    'rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  params: accountStatementParams,
  query: statementQuery,
  success: { status: 200, schema: accountStatementSchema },
  alsoAnswers: [{ status: 200, schema: z.string(), contentType: 'text/csv' }],
  refusals: [404],
  timeoutMs: STATEMENT_TIMEOUT_MS,
  async handler(input, ctx) {
    const { principal, call } = input;
    const { month: name } = input.params;
    await requireOwnAccount(ctx, principal);
    const statement = await ctx.clients.billing.getAccountStatement({ month: name }, call);
    return answerStatement(input, name, statement, (month) =>
      accountStatementJson(principal.accountId, month, statement),
    );
  },
});
