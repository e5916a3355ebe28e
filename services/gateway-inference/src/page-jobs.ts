// Loaded by the thread of tools/page-reader.ts.
import { createRequire } from 'node:module';
import type { convert as Convert, HtmlToTextOptions } from 'html-to-text';

/** If the main part of a page has less text than this, the whole page is read. */
const MAIN_TEXT_CHARS_MIN = 200;

const skipped = ['img', 'svg', 'nav', 'aside', 'footer', 'form', 'iframe', 'noscript', 'template', 'button'];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200, maxChildNodes: 20_000, maxBaseElements: 20 },
  selectors: [
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map((selector) => ({
      selector,
      options: { uppercase: false, uppercaseHeaderCells: false },
    })),
  ],
};
const inMain = { selectors: ['main', '[role=main]', 'article'], returnDomByDefault: false };
const inWhole = { selectors: ['body'] };

/** Markup. */
export interface Page {
  title: string;
  html: string;
}

// A bundle leaves the package out, because only the thread may load it.
const { convert }: { convert: typeof Convert } = createRequire(import.meta.url)('html-to-text');

/** Returns the title and the text of a page. */
export async function run({ title, html }: Page): Promise<string> {
  const main = convert(html, { ...options, baseElements: inMain }).trim();
  const text = main.length >= MAIN_TEXT_CHARS_MIN ? main : convert(html, { ...options, baseElements: inWhole }).trim();
  return [convert(title, { wordwrap: false }).trim(), text].filter((part) => part !== '').join('\n\n');
}
