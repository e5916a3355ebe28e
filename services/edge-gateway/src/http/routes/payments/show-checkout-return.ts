import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

const TEXTS = {
  success: ['Thank you', 'The payment page is done. Your account shows the result in a moment.'],
  cancel: ['Cancelled', 'Nothing was paid.'],
} as const;

/** Says no more than the address does: what was paid is told by the processor, never by a browser. */
export const showCheckoutReturn = defineRoute({
  method: 'GET',
  path: '/billing/checkout-return',
  tag: 'Payments',
  summary: 'The page that a checkout leads back to when no other was named',
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
