import { z } from 'zod';
import type { Context } from '../../../context.js';
import { defineRoute, type RouteInput } from '../../exchange/route.js';
import { plainPage } from '../../pages/page.js';

/** The ledger verifies the signature over the raw body; 200 after the effect is durable. */
export const receiveStripeWebhook = defineRoute({
  method: 'POST',
  path: '/billing/webhooks/stripe',
  tag: 'Payments',
  summary: "Receive the payment processor's webhook events",
  operationId: 'receiveStripeWebhook',
  description:
    'Only the payment processor calls it. The signature is verified over the raw body, and an event counts once.',
  auth: 'none',
  // The processor's signature is the credential; its events may exceed the limit for unauthenticated bodies.
  bodyClass: 'standard',
  success: { status: 200, schema: z.object({ received: z.literal(true) }) },
  handler: async ({ rawBody, headers, call }, ctx) => {
    const signature = headers['stripe-signature'];
    // The name of the RPC stays: the replicas of a rolling update call it.
    await ctx.clients.payments.receiveNotice(
      { payload: rawBody, signature: typeof signature === 'string' ? signature : '' },
      call,
    );
    return { body: { received: true } };
  },
});

const TEXTS = {
  success: ['Thank you', 'The checkout is complete. Your account will show the result shortly.'],
  cancel: ['Canceled', 'Nothing was paid.'],
  back: ['Done', 'Your account shows what you changed shortly.'],
} as const;

/** Shows a generic message: only the processor's webhook confirms a payment. */
export const showCheckoutReturn = defineRoute({
  method: 'GET',
  path: '/billing/checkout-return',
  tag: 'Payments',
  summary: 'Show the default page to which a checkout returns',
  operationId: 'showCheckoutReturn',
  description: 'Shown when a checkout names no address of its own.',
  auth: 'none',
  query: z.object({ outcome: z.enum(['success', 'cancel', 'back']).catch('cancel') }),
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/html' },
  handler: async ({ query }) => {
    const [title, text] = TEXTS[query.outcome];
    const content = `<h1>${title}</h1><p>${text}</p><p class="soft">You can close this page.</p>`;
    return plainPage({ title, content: `<div class="notice">${content}</div>` });
  },
});

type Asker = Pick<RouteInput<unknown, unknown, unknown>, 'headers'>;

/** The return URLs of an owner's checkout: as requested, by default a page of the edge (`show-checkout-return.ts`). */
export function returnUrls(
  ctx: Pick<Context, 'config'>,
  { headers }: Asker,
  body: { success_url?: string | undefined; cancel_url?: string | undefined },
): { successUrl: string; cancelUrl: string } {
  const base = ctx.config.publicBaseUrl ?? `http://${headers.host ?? 'localhost'}`;
  const own = (outcome: string): string => `${base}/api/v1/billing/checkout-return?outcome=${outcome}`;
  return { successUrl: body.success_url ?? own('success'), cancelUrl: body.cancel_url ?? own('cancel') };
}
