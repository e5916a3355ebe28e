import { statementsQuery, statementsSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { monthJson } from './statement-json.js';

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
