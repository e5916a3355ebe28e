import { statementsQuery, statementsSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { monthJson } from '../statements/statement-json.js';
import { requireOwnAccount } from './require-own-account.js';

export const listAccountStatements = defineRoute({
  method: 'GET',
  path: '/account/statements',
  tag: 'Account',
  summary: "List the months of the owner's statements, newest first",
  operationId: 'listAccountStatements',
  description:
    'From the present month back to that in which the account was opened. Members who belong to another account, and keys that they created or rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  query: statementsQuery,
  success: { status: 200, schema: statementsSchema },
  async handler({ query, call, principal }, ctx) {
    await requireOwnAccount(ctx, principal);
    const { limit, cursor: beforeMonth = '' } = query;
    const { months, hasMore } = await ctx.clients.billing.listAccountStatements({ limit, beforeMonth }, call);
    const last = months.at(-1);
    return { body: { statements: months.map(monthJson), ...(hasMore && last && { next_cursor: last.month }) } };
  },
});
