import { AppError } from '@tollgate/errors';
import type { SafeFetchClient, SafeFetchResponse } from '@tollgate/safe-fetch';
import type { ToolArguments } from '@tollgate/tools';
import { followRedirects, readHeader } from '../clients/web/follow-redirects.js';
import type { PageReader } from './page-reader.js';

const TIMEOUT_MS = 20_000;
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
const TEXT_CHARS_DEFAULT = 20_000;

/** The client that fetches pages, and the reader that extracts their text. */
export interface PublicWeb {
  client: SafeFetchClient;
  reader: PageReader;
}

/**
 * `web_fetch`: returns the text of a public page. Every address of a redirect chain is checked; private addresses are never
 * read, even if the installation allows them elsewhere.
 *
 * @throws AppError WEB_FETCH_FAILED
 */
export async function fetchPage(
  { client, reader }: PublicWeb,
  { url, max_length = TEXT_CHARS_DEFAULT }: ToolArguments<'web_fetch'>,
  account: string,
  signal: AbortSignal,
): Promise<string> {
  const page = await followRedirects(client, url, {
    headers: {
      accept: 'text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.8',
      'user-agent': 'Tollgate/1.0 (web_fetch)',
    },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: PAGE_BYTES_MAX,
    oversize: 'truncate',
    signal,
  });
  if (!page.ok) throw failed(page.message, page.cause);
  if (page.status < 200 || page.status > 299) throw failed(`the page answered with status ${page.status}`);
  return cut(await readText(page, (html) => reader.read(account, html, signal)), max_length);
}

async function readText(page: SafeFetchResponse, readHtml: (html: string) => Promise<string>): Promise<string> {
  const encoding = readHeader(page, 'content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw failed('the page is compressed though that was not asked for');
  const contentType = readHeader(page, 'content-type');
  const mimeType = contentType.split(';')[0]!.trim().toLowerCase();
  const isHtml = mimeType === '' || mimeType === 'text/html' || mimeType === 'application/xhtml+xml';
  if (!isHtml && !isText(mimeType)) throw failed(`content of type ${mimeType.slice(0, 100)} is not text`);
  const text = decode(page.body, contentType);
  return isHtml ? await readHtml(text) : text;
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || /^application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$/.test(mimeType);
}

/** Decodes the page in the character set that its header or the page itself names, or else as UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const named = /charset\s*=\s*"?([\w:.-]+)/i;
  const charset = named.exec(contentType)?.[1] ?? named.exec(body.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Cuts text to a length, but never inside a surrogate pair. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const isInsidePair = /[\uD800-\uDBFF]/.test(text[chars - 1]!);
  return text.slice(0, isInsidePair ? chars - 1 : chars);
}

function failed(message: string, cause?: unknown): AppError {
  return new AppError('WEB_FETCH_FAILED', message, { cause });
}
