import { z } from 'zod';
import { prefersHtml } from '../answer/accept.js';
import { defineRoute, type JsonResult } from '../exchange/route.js';

const links = { console: '/console', docs: '/docs', openapi: '/api/v1/openapi.json', status: '/status' };

export const showLanding = defineRoute({
  method: 'GET',
  path: '/',
  tag: 'Meta',
  summary: 'Show where to continue: JSON, and for browsers the console',
  auth: 'none',
  ignoresUnknownQuery: true,
  success: { status: 200, schema: z.object({ name: z.string() }) },
  alsoAnswers: [{ status: 303 }],
  handler: async ({ headers: { accept } }) => {
    const answer: JsonResult = prefersHtml(accept) ? landingForBrowsers() : { body: { name: 'Tollgate', ...links } };
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept', 'Cache-Control': 'public, max-age=300' } };
  },
});

/** The first page of a person who opens the host. */
function landingForBrowsers(): JsonResult {
  return { status: 303, headers: { Location: links.console } };
}
