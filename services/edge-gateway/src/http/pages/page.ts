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
