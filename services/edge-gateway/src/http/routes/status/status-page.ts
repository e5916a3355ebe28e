import type { AreaStatus, PublicStatus } from '../../../domain/public-status.js';

const HEADLINES: Record<AreaStatus, string> = {
  operational: 'Everything works',
  degraded: 'Some areas do not work fully',
  down: 'The API is down',
};
const WORDS: Record<AreaStatus, string> = { operational: 'Operational', degraded: 'Degraded', down: 'Down' };
const RELOAD_S = 30;

/** Renders a page that works without scripts and loads nothing. */
export function statusPage({ status, areas }: PublicStatus): { body: string; headers: Record<string, string> } {
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
