import { deviceApproveBody } from '@tollgate/api/identity';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, invariant } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../../../context.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { auditActor, recordAudit } from '../../../../operations/record-audit.js';
import { decideOnDevice } from '../../../../operations/sign-in/approve-device.js';
import { defineRoute } from '../../../exchange/route.js';

/** For apps with their own sign-in: their backend or the signed-in customer approves the code. */
export const approveDevice = defineRoute({
  method: 'POST',
  path: '/auth/device/approve',
  tag: 'Authentication',
  summary: 'Approve or deny a device by the code it shows',
  operationId: 'approveDevice',
  description:
    'For apps with a sign-in of their own: a backend names the customer, or the customer approves with its own token.',
  auth: ['secret_key', 'customer'],
  body: deviceApproveBody,
  success: { status: 204 },
  handler: async ({ body, principal, address, call }, ctx) => {
    await enforceSignInLimit('device', address, undefined, ctx);
    if (body.decision === 'deny') {
      await decideOnDevice(ctx, principal, body.user_code, { status: 'denied' });
    } else {
      const customerId = await requireCustomer(ctx, principal, body, call);
      await decideOnDevice(ctx, principal, body.user_code, { status: 'approved', customerId });
    }
    await recordAudit(ctx, {
      accountId: principal.accountId,
      projectId: principal.projectId,
      action: body.decision === 'deny' ? 'device.denied' : 'device.approved',
      ...auditActor(principal),
      address,
      requestId: call.requestId,
    });
    return { status: 204 };
  },
});

/** Returns the customer that the device will act for. @throws AppError NOT_FOUND, VALIDATION_ERROR */
async function requireCustomer(
  ctx: Pick<Context, 'clients'>,
  principal: Principal,
  body: z.output<typeof deviceApproveBody>,
  call: Call,
): Promise<string> {
  const { customer_id: id, customer_external_id: externalId } = body;
  if (principal.kind === PrincipalKind.CUSTOMER) {
    if (id === undefined && externalId === undefined) return principal.customerId;
    throw new AppError('FORBIDDEN', 'a customer can approve only for itself');
  }
  if (id === undefined && externalId === undefined) {
    const message = 'this or customer_external_id is required with a secret key';
    throw new AppError('VALIDATION_ERROR', `customer_id: ${message}`, { fields: [{ field: 'customer_id', message }] });
  }
  const by =
    id === undefined
      ? ({ case: 'externalId', value: externalId! } as const)
      : ({ case: 'id', value: id.toLowerCase() } as const);
  const { envelope } = await ctx.clients.billing.getCustomer({ by }, call);
  invariant(envelope?.customer, 'billing answered without the customer');
  return envelope.customer.id;
}
