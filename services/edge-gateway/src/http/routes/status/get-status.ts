import { z } from 'zod';
import { toPublicStatus } from '../../../domain/public-status.js';
import { prefersHtml } from '../../answer/accept.js';
import { defineRoute } from '../../exchange/route.js';
import { statusPage } from './status-page.js';

const areaStatus = z.enum(['operational', 'degraded', 'down']);
const publicStatus = z.object({
  status: areaStatus,
  areas: z.array(z.object({ name: z.string(), status: areaStatus })),
});

/** Longer than the interval of the background checks, and short enough for a page that people reload. */
const MAX_AGE_S = 5;

/** Reads the last results of the background checks, so that a request causes no calls to other services. */
export const getStatus = defineRoute({
  method: 'GET',
  path: '/status',
  tag: 'Meta',
  summary: 'Get the current status of each area, as JSON or a page',
  operationId: 'getStatus',
  description: 'The results of the last background checks. Browsers get a page.',
  auth: 'none',
  success: { status: 200, schema: publicStatus },
  alsoAnswers: [{ status: 200, contentType: 'text/html' }],
  handler: async ({ headers: { accept } }, ctx) => {
    const status = toPublicStatus(ctx.health.report);
    const cached = { 'Cache-Control': `public, max-age=${MAX_AGE_S}`, Vary: 'Accept' };
    if (!prefersHtml(accept)) return { body: status, headers: cached };
    const page = statusPage(status);
    return { body: page.body, headers: { ...page.headers, ...cached } };
  },
});
