import { subscriptionSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { subscriptionJson } from '../../customers/customer-json.js';

export const resumeMySubscription = defineRoute({
  method: 'POST',
  path: '/customers/me/subscription/resume',
  tag: 'Customer self-service',
  summary: 'Take the scheduled cancellation of your subscription back',
  operationId: 'resumeMySubscription',
  description: 'Possible until `cancel_at`. Changes nothing where no cancellation is scheduled.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [404, 409],
  audit: 'subscription.resumed',
  idempotent: true,
  handler: async ({ principal, call }, ctx) => {
    const req = { customerId: principal.customerId };
    const { subscription } = await ctx.clients.payments.resumeSubscription(req, call);
    if (!subscription) throw new AppError('NOT_FOUND', 'no subscription');
    return {
      body: { subscription: subscriptionJson(subscription) },
      audited: { subjectId: principal.customerId },
    };
  },
});
