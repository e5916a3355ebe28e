import { AppError } from '@tollgate/errors';
import type { ToolArguments } from '@tollgate/tools';
import { Agent } from 'undici';
import { z } from 'zod';

export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** The backend of the `web_search` tool. */
export interface SearchBackendConfig {
  kind: 'searxng' | 'brave' | 'tavily';
  /** URL of the endpoint's host; without a path for SearXNG and Tavily. */
  url: string;
  apiKey: string | undefined;
}

export interface WebSearch {
  /** @throws AppError WEB_SEARCH_UNAVAILABLE without a backend, WEB_SEARCH_FAILED when its answer is invalid */
  search(query: ToolArguments<'web_search'>, signal: AbortSignal): Promise<SearchResult[]>;
  close(): Promise<void>;
}

interface BackendRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

interface Backend {
  request(config: SearchBackendConfig, query: ToolArguments<'web_search'>): BackendRequest;
  /** @throws ZodError for an answer of another form */
  read(body: unknown): SearchResult[];
}

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;
const SNIPPET_CHARS_MAX = 1_000;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const searxngAnswer = z.object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) });
const braveAnswer = z.object({
  web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).optional(),
});
const tavilyAnswer = searxngAnswer;

// Each vendor's own API: docs.searxng.org/dev/search_api.html, api-dashboard.search.brave.com, docs.tavily.com.
const backends: Record<SearchBackendConfig['kind'], Backend> = {
  searxng: {
    request: ({ url, apiKey }, { query, site }) => ({
      method: 'GET',
      url: `${withoutSlash(url)}/search?${new URLSearchParams({ q: restricted(query, site), format: 'json' })}`,
      headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
    }),
    read: (body) => searxngAnswer.parse(body).results.map(({ content, ...rest }) => ({ ...rest, snippet: content })),
  },
  brave: {
    request: ({ url, apiKey = '' }, { query, site, num_results }) => ({
      method: 'GET',
      url: `${withoutSlash(url)}/res/v1/web/search?${new URLSearchParams({
        q: restricted(query, site),
        count: String(num_results),
        text_decorations: 'false',
      })}`,
      headers: { 'x-subscription-token': apiKey },
    }),
    read: (body) =>
      (braveAnswer.parse(body).web?.results ?? []).map(({ description, ...rest }) => ({
        ...rest,
        snippet: description,
      })),
  },
  tavily: {
    request: ({ url, apiKey = '' }, { query, site, num_results }) => ({
      method: 'POST',
      url: `${withoutSlash(url)}/search`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query,
        max_results: num_results,
        ...(site === undefined ? {} : { include_domains: [site] }),
      }),
    }),
    read: (body) => tavilyAnswer.parse(body).results.map(({ content, ...rest }) => ({ ...rest, snippet: content })),
  },
};

/** Returns the configured backend; without one, every search is refused. The operator chooses it, so its address may be private. */
export function createWebSearch(config: SearchBackendConfig | undefined): WebSearch {
  if (!config) return { search: () => Promise.reject(unavailable()), close: async () => undefined };
  const dispatcher = new Agent({ connections: 32, pipelining: 1 });
  const backend = backends[config.kind];
  return {
    search: async (query, signal) => {
      try {
        const body = await exchange(backend.request(config, query), dispatcher, signal);
        return backend.read(body).filter(isWebPage).slice(0, query.num_results).map(shorten);
      } catch (error) {
        throw new AppError('WEB_SEARCH_FAILED', 'the search backend did not return a valid answer', { cause: error });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function exchange(wanted: BackendRequest, dispatcher: Agent, signal: AbortSignal): Promise<unknown> {
  const { method, url, headers, body } = wanted;
  const { origin, pathname, search } = new URL(url);
  const answer = await dispatcher.request({
    origin,
    path: `${pathname}${search}`,
    method,
    headers: { accept: 'application/json', ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(body === undefined ? {} : { body }),
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function unavailable(): AppError {
  return new AppError('WEB_SEARCH_UNAVAILABLE', 'no search backend is configured');
}

/** All backends except Tavily support the `site:` operator. */
function restricted(query: string, site: string | undefined): string {
  return site === undefined ? query : `${query} site:${site}`;
}

function isWebPage({ url }: SearchResult): boolean {
  return /^https?:\/\//i.test(url);
}

function shorten({ title, url, snippet }: SearchResult): SearchResult {
  return { title, url, snippet: snippet.slice(0, SNIPPET_CHARS_MAX) };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
