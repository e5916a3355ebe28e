import type { JsonResult } from '../exchange/route.js';

interface Page {
  title: string;
  /** HTML of the body; contains no values of requests. */
  content: string;
  /** HTML for the head. */
  head?: string;
  /** Directives for the files that the page may load; all else is forbidden. */
  policy: string;
}

/** Renders a page that nothing may embed and that loads only what its policy names. */
export function page({ title, content, head = '', policy }: Page): JsonResult {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>${head}</head>
<body>${content}</body></html>
`;
  const security = `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { body, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': security } };
}

/** Renders a page without scripts in the one design of all plain pages (`page-style.ts`). */
export function plainPage({ title, content }: Pick<Page, 'title' | 'content'>): JsonResult {
  return page({
    title,
    head: '<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/page.css">',
    content: `<main>${content}</main>`,
    policy: "style-src 'self'; img-src data:",
  });
}

/** The stylesheet of pages without scripts: `/docs/page.css`. */
export const PAGE_STYLE = `:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #5c5c5c; --paper: #fff; --line: #ddd; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --soft: #a5a5a5; --paper: #121212; --line: #333; --link: #8ab4f8; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper); }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.notice { max-width: 26rem; margin: 16vh auto; text-align: center; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.1rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dt { margin-top: 0.5rem; }
article { border-top: 1px solid var(--line); }
.soft { color: var(--soft); }
`;
