import { createSessionBody, sessionSchema } from '@tollgate/api/state';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { sessionJson } from './render.js';

export const createSession = defineRoute({
  method: 'POST',
  path: '/sessions',
  tag: 'Sessions',
  summary: 'Create a session for messages, metadata, and the state of the key-value and task tools',
  operationId: 'createSession',
  description:
    'Name the session in model requests and runs. With a secret key, `customer_id` makes it a customer’s session.',
  auth: ['secret_key', 'owner', 'customer'],
  body: createSessionBody,
  bodyClass: 'documents',
  success: { status: 201, schema: sessionSchema },
  idempotent: true,
  async handler({ body, rawBody, call, principal }, ctx) {
    const customerId = body.customer_id?.toLowerCase() ?? '';
    if (customerId !== '') await requireCustomer(ctx, principal, customerId);
    const request = { customerId, metadataJson: body.metadata ? readMember(rawBody, 'metadata') : '{}' };
    const { session } = await ctx.clients.sessions.createSession(request, call);
    return { status: 201, body: sessionJson(session) };
  },
});

/** The registry checks that a customer names only itself. @throws AppError NOT_FOUND */
async function requireCustomer(
  ctx: Pick<Context, 'customers'>,
  principal: Principal,
  customerId: string,
): Promise<void> {
  if (principal.kind === PrincipalKind.CUSTOMER) return;
  if (!(await ctx.customers.find(principal, customerId))) throw new AppError('NOT_FOUND', 'customer not found');
}
