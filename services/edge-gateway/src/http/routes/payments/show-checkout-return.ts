import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

const TEXTS = {
  success: ['Thank you', 'The checkout is complete. Your account will show the result shortly.'],
  cancel: ['Canceled', 'Nothing was paid.'],
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
  query: z.object({ outcome: z.enum(['success', 'cancel']).catch('cancel') }),
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/html' },
  handler: async ({ query }) => {
    const [title, text] = TEXTS[query.outcome];
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
    return {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'none'" },
      body: `<!doctype html><html lang="en"><head>${head}</head><body><h1>${title}</h1><p>${text}</p></body></html>\n`,
    };
  },
});
