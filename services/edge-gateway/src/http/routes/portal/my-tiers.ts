import {
  changeTierSchema,
  tierChangePreviewQuery,
  tierChangePreviewSchema,
  tierChangeSchema,
} from '@tollgate/api/billing';
import type { Tier } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toJsonNumber } from '@tollgate/money';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { compareTiers } from '../../../domain/compare-tiers.js';
import { defineRoute } from '../../exchange/route.js';
import { changedSubscriptionJson } from '../payments/payments-json.js';
import { tierJson } from '../tiers/tier-json.js';
import { tierListSchema } from '../tiers/tiers.js';
import { timeJson } from '../to-json.js';

export const listMyTiers = defineRoute({
  method: 'GET',
  path: '/customers/me/tiers',
  tag: 'Customer self-service',
  summary: 'List the tiers that you can choose, and your own',
  operationId: 'listMyTiers',
  description: '`GET /customers/me/change-tier` previews a move to one of them.',
  auth: ['customer'],
  success: { status: 200, schema: tierListSchema },
  handler: async ({ call, principal }, ctx) => {
    const { tiers } = await ctx.clients.billing.listTiers(
      { offeredOnly: true, customerId: principal.customerId },
      call,
    );
    return { body: { tiers: tiers.map((tier) => ({ ...tierJson(tier), price_sync_failure: undefined })) } };
  },
});

export const previewMyTierChange = defineRoute({
  method: 'GET',
  path: '/customers/me/change-tier',
  tag: 'Customer self-service',
  summary: 'Preview a move of your subscription to another tier',
  operationId: 'previewMyTierChange',
  description:
    'Says what is paid now, what changes when, and what is lost. The payment processor computes prorations. Refused where the change would be refused.',
  auth: ['customer'],
  query: tierChangePreviewQuery,
  success: { status: 200, schema: tierChangePreviewSchema },
  refusals: [404, 409],
  handler: async ({ query: { tier_code: tierCode }, principal: { customerId }, call }, ctx) => {
    const preview = await ctx.clients.payments.previewTierChange({ customerId, tierCode }, call);
    const { from, to } = await readTiers(ctx, customerId, tierCode, call);
    return {
      body: {
        action: preview.action,
        due_now_cents: toJsonNumber(preview.dueNowCents),
        credit_cents: toJsonNumber(preview.creditCents),
        currency: preview.currency || undefined,
        effective_at: timeJson(preview.effectiveAt),
        next_amount_cents: preview.nextAmountCents === undefined ? undefined : toJsonNumber(preview.nextAmountCents),
        next_at: timeJson(preview.nextAt),
        trial_days: preview.trialDays,
        ...compareTiers(from, to),
      },
    };
  },
});

async function readTiers(
  { clients: { billing } }: Pick<Context, 'clients'>,
  customerId: string,
  tierCode: string,
  call: Call,
): Promise<{ from: Tier | undefined; to: Tier }> {
  const [{ envelope }, { tier: to }] = await Promise.all([
    billing.getCustomer({ by: { case: 'id', value: customerId } }, call),
    billing.getTier({ by: { case: 'tierCode', value: tierCode } }, call),
  ]);
  const id = envelope?.subscription?.tierId;
  const from = id ? (await billing.getTier({ by: { case: 'id', value: id } }, call)).tier : undefined;
  return { from, to: to as Tier };
}

export const changeMyTier = defineRoute({
  method: 'POST',
  path: '/customers/me/change-tier',
  tag: 'Customer self-service',
  summary: 'Move your subscription to another tier',
  operationId: 'changeMyTier',
  description: 'Upgrades take effect at once. A move to a free tier takes effect at the end of the paid period.',
  auth: ['customer'],
  body: changeTierSchema,
  success: { status: 200, schema: tierChangeSchema },
  refusals: [402, 404, 409],
  audit: 'subscription.updated',
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = { customerId: principal.customerId, tierCode: body.tier_code };
    const { subscription, action } = await ctx.clients.payments.changeTier(req, call);
    ctx.tierLimits.note(principal, subscription?.tierCode ?? '');
    const changes = [{ field: 'tier_code', after: body.tier_code }];
    const audited = { subjectId: principal.customerId, changes };
    return { body: { subscription: changedSubscriptionJson(subscription), action }, audited };
  },
});
