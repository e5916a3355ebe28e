import { AppError, type ErrorCode, getDefinition, isErrorCode } from '@tollgate/errors';
import { type Explanation, explanations } from '@tollgate/errors/explanations';
import { z } from 'zod';
import { defineRoute, type JsonResult } from '../exchange/route.js';
import { plainPage } from './page.js';

export const listErrors = defineRoute({
  method: 'GET',
  path: '/docs/errors',
  tag: 'Meta',
  summary: 'List the error codes',
  auth: 'none',
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/html' },
  handler: async () => errorPage('Error codes', `<h1>Error codes</h1>\n<dl>\n${CODES.map(toEntry).join('')}</dl>`),
});

/** Answers with an error link to this page by their `Link` header. */
export const showError = defineRoute({
  method: 'GET',
  path: '/docs/errors/:code',
  tag: 'Meta',
  summary: 'Explain an error code',
  auth: 'none',
  params: z.object({ code: z.string() }),
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/html' },
  handler: async ({ params: { code } }) => {
    if (!isErrorCode(code)) throw new AppError('NOT_FOUND', 'no such error code; /docs/errors lists them');
    return errorPage(code, toContent(code, explanations[code]));
  },
});

const CODES = Object.keys(explanations) as ErrorCode[];

function toEntry(code: ErrorCode): string {
  return `<dt><a href="/docs/errors/${code}"><code>${code}</code></a></dt><dd>${toHtml(explanations[code].meaning)}</dd>\n`;
}

function toContent(code: ErrorCode, { meaning, causes, remedies }: Explanation): string {
  const { status, retryable } = getDefinition(code);
  return `<p><a href="/docs/errors">Error codes</a></p>
<h1><code>${code}</code></h1>
<p>${toHtml(meaning)}</p>
<p>Status ${status}. ${retryable ? 'Usually worth a retry' : 'Usually not worth a retry'}; the field <code>retryable</code> of an answer decides.</p>
<h2>Causes</h2>
${toList(causes)}
<h2>What to do</h2>
${toList(remedies)}`;
}

function toList(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${toHtml(item)}</li>`).join('')}</ul>`;
}

/** Text between backticks is code. */
function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function errorPage(title: string, content: string): JsonResult {
  const { body, headers } = plainPage({ title: `${title} – Tollgate`, content });
  return { body, headers: { ...headers, 'Cache-Control': 'public, max-age=300' } };
}
