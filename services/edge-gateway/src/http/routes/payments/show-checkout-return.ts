import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { plainPage } from '../../pages/page.js';

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
