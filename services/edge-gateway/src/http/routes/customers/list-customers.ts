import { customerEnvelopeSchema } from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';

export const customerListSchema = z.object({
  customers: z.array(customerEnvelopeSchema),
  next_cursor: z.string().optional(),
});

export const listCustomers = defineRoute({
  method: 'GET',
  path: '/customers',
  tag: 'Customers',
  summary: "List the project's customers, oldest first",
  operationId: 'listCustomers',
  description: 'Each entry has the customer and its subscription.',
  auth: ['secret_key'],
  query: pageQuery(50, 200),
  success: { status: 200, schema: customerListSchema },
  handler: async ({ query, call }, ctx) => {
    const { customers, hasMore } = await ctx.clients.billing.listCustomers(query, call);
    return { body: { customers: customers.map(envelopeJson), ...nextCursor(query.offset, customers.length, hasMore) } };
  },
});
