import { z } from 'zod';
import { defineRoute, type JsonResult } from '../exchange/route.js';
import { page } from './page.js';

const links = { docs: '/docs', openapi: '/api/v1/openapi.json', status: '/status' };

export const showLanding = defineRoute({
  method: 'GET',
  path: '/',
  tag: 'Meta',
  summary: 'Show where to continue, as JSON or a page',
  auth: 'none',
  ignoresUnknownQuery: true,
  success: { status: 200, schema: z.object({ name: z.string() }) },
  handler: async ({ headers: { accept = '' } }) => {
    const { body, headers } = accept.includes('text/html')
      ? landingForBrowsers()
      : { body: { name: 'Tollgate', ...links } };
    return { body, headers: { ...headers, Vary: 'Accept', 'Cache-Control': 'public, max-age=300' } };
  },
});

/** The first page of a person who opens the host: replace it here if there is a better one. */
function landingForBrowsers(): JsonResult {
  return page({
    title: 'Tollgate',
    content: `<h1>Tollgate</h1><p>AI model requests, and billing for the customers who make them.</p>
<ul><li><a href="${links.docs}">API reference</a></li><li><a href="${links.openapi}">OpenAPI document</a></li>
<li><a href="${links.status}">Status</a></li></ul>`,
    policy: "style-src 'unsafe-inline'",
    head: '<style>body{font:16px/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}</style>',
  });
}
