import { z } from 'zod';
import { type AreaStatus, type PublicStatus, toPublicStatus } from '../../../domain/public-status.js';
import { prefersHtml } from '../../answer/accept.js';
import { defineRoute } from '../../exchange/route.js';

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

const HEADLINES: Record<AreaStatus, string> = {
  operational: 'Everything works',
  degraded: 'Some areas do not work fully',
  down: 'The API is down',
};
const WORDS: Record<AreaStatus, string> = { operational: 'Operational', degraded: 'Degraded', down: 'Down' };
const RELOAD_S = 30;

/** Renders a page that works without scripts and loads nothing. */
function statusPage({ status, areas }: PublicStatus): { body: string; headers: Record<string, string> } {
  const rows = areas.map(
    (area) => `<tr><th scope="row">${area.name}</th><td class="${area.status}">${WORDS[area.status]}</td></tr>`,
  );
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD_S}"><title>Status: ${HEADLINES[status]}</title>
<style>body{font:16px system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}table{width:100%;border-collapse:collapse}
th,td{padding:.6rem 0;border-top:1px solid #ccc;text-align:left}td{text-align:right}th{font-weight:normal}
.operational{color:#176639}.degraded{color:#8a5a00}.down{color:#b3261e;font-weight:bold}</style></head>
<body><h1>${HEADLINES[status]}</h1><table>
${rows.join('\n')}
</table></body></html>
`;
  return {
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
  };
}
