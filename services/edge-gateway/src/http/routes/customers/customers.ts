import {
  customerChangeSchema,
  customerEnvelopeSchema,
  customerInputSchema,
  customerListQuery,
  customerListSchema,
  deleteCustomerQuery,
} from '@tollgate/api/billing';
import { z } from 'zod';
import { readMember } from '../../../domain/json-members.js';
import { revokeCustomer } from '../../../operations/tokens/revoke.js';
import { defineRoute } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';
import { readCustomerPage } from './read-customer-page.js';

export const customerParams = z.object({ id: z.string() });
export const projectParams = z.object({ id: z.string() });
export const projectCustomerParams = z.object({ id: z.string(), customer_id: z.string() });

export const createCustomer = defineRoute({
  method: 'POST',
  path: '/customers',
  tag: 'Customers',
  summary: 'Create a customer',
  operationId: 'createCustomer',
  description: '`external_id` is your own identifier of the customer, unique in the project.',
  auth: ['secret_key'],
  body: customerInputSchema,
  success: { status: 201, schema: customerEnvelopeSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ body, rawBody, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.createCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      call,
    );
    return { status: 201, body: envelopeJson(envelope) };
  },
});

/** Answers 201 when the external id is new, and 200 when its customer was updated. */
export const upsertCustomer = defineRoute({
  method: 'PUT',
  path: '/customers',
  tag: 'Customers',
  summary: 'Create or update a customer by external id',
  operationId: 'upsertCustomer',
  description: 'Answers 201 when the external id is new, and 200 when its customer was updated.',
  auth: ['secret_key'],
  body: customerInputSchema,
  success: { status: 200, schema: customerEnvelopeSchema },
  alsoAnswers: [{ status: 201, schema: customerEnvelopeSchema }],
  refusals: [409],
  handler: async ({ body, rawBody, call }, ctx) => {
    const { envelope, created } = await ctx.clients.billing.upsertCustomer(
      {
        externalId: body.external_id,
        email: body.email,
        ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
      },
      call,
    );
    return { status: created ? 201 : 200, body: envelopeJson(envelope) };
  },
});

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

export const getCustomer = defineRoute({
  method: 'GET',
  path: '/customers/:id',
  tag: 'Customers',
  summary: 'Get a customer',
  operationId: 'getCustomer',
  description: 'Returns the customer and its subscription.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
    return { body: envelopeJson(envelope) };
  },
});

export const getCustomerByExternalId = defineRoute({
  method: 'GET',
  path: '/customers/by-external-id/:external_id',
  tag: 'Customers',
  summary: "Get a customer by the owner's identifier",
  operationId: 'getCustomerByExternalId',
  description: 'Use it if your records have only your own identifier.',
  auth: ['secret_key'],
  params: z.object({ external_id: z.string() }),
  success: { status: 200, schema: customerEnvelopeSchema },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'externalId', value: params.external_id } },
      call,
    );
    return { body: envelopeJson(envelope) };
  },
});

export const updateCustomer = defineRoute({
  method: 'PATCH',
  path: '/customers/:id',
  tag: 'Customers',
  summary: "Change a customer's email or metadata",
  auth: ['secret_key'],
  params: customerParams,
  body: customerChangeSchema,
  success: { status: 200, schema: customerEnvelopeSchema },
  audit: 'customer.updated',
  handler: async ({ params, body, rawBody, call }, ctx) => {
    const change = {
      id: params.id,
      ...(body.email !== undefined && { email: body.email }),
      ...(body.metadata && { metadataJson: readMember(rawBody, 'metadata') }),
    };
    const { envelope } = await ctx.clients.billing.updateCustomer(change, call);
    return { body: envelopeJson(envelope) };
  },
});

export const deleteCustomer = defineRoute({
  method: 'DELETE',
  path: '/customers/:id',
  tag: 'Customers',
  summary:
    'Delete a customer; expires its open checkouts and forfeits its wallet; a processor subscription is canceled only with cancel_subscription=true',
  operationId: 'deleteCustomer',
  description: 'Tokens of the customer are refused within five seconds. Payments that arrive later are refunded.',
  auth: ['secret_key'],
  params: customerParams,
  query: deleteCustomerQuery,
  success: { status: 204 },
  audit: 'customer.deleted',
  handler: async ({ params, query, call }, ctx) => {
    const req = { id: params.id, cancelSubscription: query.cancel_subscription };
    await ctx.clients.billing.deleteCustomer(req, call);
    await revokeCustomer(ctx, params.id);
    return { status: 204 };
  },
});
