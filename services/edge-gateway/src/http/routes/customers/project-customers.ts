import {
  customerEnvelopeSchema,
  customerInputSchema,
  customerListQuery,
  customerListSchema,
  deleteCustomerQuery,
  usageSchema,
} from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { readMember } from '../../../domain/json-members.js';
import { revokeCustomer } from '../../../operations/tokens/revoke.js';
import { defineRoute } from '../../exchange/route.js';
import { usageJson } from './billing.js';
import { envelopeJson } from './customer-json.js';
import { projectCustomerParams, projectParams } from './customers.js';
import { readCustomerPage } from './read-customer-page.js';

export const createProjectCustomer = defineRoute({
  method: 'POST',
  path: '/projects/:id/customers',
  tag: 'Customers',
  summary: 'Create a customer (dashboard)',
  operationId: 'createProjectCustomer',
  description: '`external_id` is your own identifier of the customer, unique in the project.',
  auth: ['owner'],
  params: projectParams,
  body: customerInputSchema,
  success: { status: 201, schema: customerEnvelopeSchema },
  refusals: [409],
  idempotent: true,
  handler: async (input, ctx) => {
    const { body, rawBody } = input;
    const principal = await requireProject(ctx, input, input.params.id);
    const { envelope } = await ctx.clients.billing.createCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      input.call.with({ principal }),
    );
    return { status: 201, body: envelopeJson(envelope) };
  },
});

export const listProjectCustomers = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers',
  tag: 'Customers',
  summary: "List a project's customers, oldest first, or search them (dashboard)",
  operationId: 'listProjectCustomers',
  description: 'Returns the customers of one project of the owner, each with its subscription.',
  auth: ['owner'],
  params: projectParams,
  query: customerListQuery,
  success: { status: 200, schema: customerListSchema },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    return readCustomerPage(ctx, input.query, input.call.with({ principal }));
  },
});

export const getProjectCustomer = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers/:customer_id',
  tag: 'Customers',
  summary: 'Get a customer (dashboard)',
  operationId: 'getProjectCustomer',
  description: 'Returns the customer and its subscription.',
  auth: ['owner'],
  params: projectCustomerParams,
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const by = { case: 'id' as const, value: input.params.customer_id };
    const { envelope } = await ctx.clients.billing.getCustomer({ by }, input.call.with({ principal }));
    return { body: envelopeJson(envelope) };
  },
});

export const getProjectCustomerUsage = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers/:customer_id/usage',
  tag: 'Customers',
  summary: "Get a customer's usage in the current billing window (dashboard)",
  operationId: 'getProjectCustomerUsage',
  description: 'Requests, tokens and cost in the current window, with the limit of the tier and the usage of each day.',
  auth: ['owner'],
  params: projectCustomerParams,
  success: { status: 200, schema: z.object({ usage: usageSchema }) },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const usage = await ctx.clients.billing.getCustomerUsage(
      { customerId: input.params.customer_id },
      input.call.with({ principal }),
    );
    return { body: { usage: usageJson(usage) } };
  },
});

export const deleteProjectCustomer = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/customers/:customer_id',
  tag: 'Customers',
  summary: 'Delete a customer (dashboard)',
  operationId: 'deleteProjectCustomer',
  description:
    'Expires open checkouts and forfeits the wallet. A subscription at the payment processor is canceled only with `cancel_subscription=true`.',
  auth: ['owner'],
  params: projectCustomerParams,
  query: deleteCustomerQuery,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const req = { id: input.params.customer_id, cancelSubscription: input.query.cancel_subscription };
    await ctx.clients.billing.deleteCustomer(req, input.call.with({ principal }));
    await revokeCustomer(ctx, input.params.customer_id);
    return { status: 204 };
  },
});
