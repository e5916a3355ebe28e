import { customerListQuery, customerListSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { readCustomerPage } from './read-customer-page.js';

export const listCustomers = defineRoute({
  method: 'GET',
  path: '/customers',
  tag: 'Customers',
  summary: "List the project's customers, oldest first, or search them",
  operationId: 'listCustomers',
  description: 'Each entry has the customer and its subscription.',
  auth: ['secret_key'],
  query: customerListQuery,
  success: { status: 200, schema: customerListSchema },
  handler: ({ query, call }, ctx) => readCustomerPage(ctx, query, call),
});
