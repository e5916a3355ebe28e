import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { subscriptionInputSchema, subscriptionSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { subscriptionJson } from '../customer-json.js';
import { customerParams } from '../params.js';

const at = (time: string | undefined) => (time === undefined ? undefined : timestampFromDate(new Date(time)));

/** For billing outside Tollgate (an external provider, an app store, crypto) and for free tiers. */
export const setCustomerSubscription = defineRoute({
  method: 'PUT',
  path: '/customers/:id/subscription',
  tag: 'Customers',
  summary: 'Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier',
  operationId: 'setCustomerSubscription',
  description:
    'For subscriptions that another system bills. Paid tiers of the payment processor need a checkout instead.',
  auth: ['secret_key'],
  params: customerParams,
  body: subscriptionInputSchema,
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [409],
  audit: 'subscription.updated',
  handler: async ({ params, body, principal, call }, ctx) => {
    const { subscription } = await ctx.clients.billing.setSubscription(
      {
        customerId: params.id,
        tierCode: body.tier_code,
        subscriptionStatus: body.subscription_status,
        billingProvider: body.billing_provider ?? '',
        billingCustomerId: body.billing_customer_id ?? '',
        billingSubscriptionId: body.billing_subscription_id ?? '',
        currentPeriodStart: at(body.current_period_start),
        currentPeriodEnd: at(body.current_period_end),
      },
      call,
    );
    ctx.customers.forget(principal.projectId, params.id);
    const changes = [{ field: 'tier_code', after: body.tier_code }];
    return { body: { subscription: subscription && subscriptionJson(subscription) }, audited: { changes } };
  },
});
