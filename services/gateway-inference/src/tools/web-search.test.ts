import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWebSearch, type SearchBackendConfig, type WebSearch } from './web-search.js';

interface Received {
  method: string | undefined;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Server;
let baseUrl: string;
let received: Received[];
let respond: (res: ServerResponse) => void;
let search: WebSearch | undefined;

beforeAll(async () => {
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ method: req.method, url: new URL(req.url!, baseUrl), headers: req.headers, body });
      respond(res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  received = [];
});
afterEach(() => search?.close());

function json(body: unknown): (res: ServerResponse) => void {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
}

function find(kind: SearchBackendConfig['kind'], query: { query: string; num_results: number; site?: string }) {
  search = createWebSearch({ kind, url: `${baseUrl}/`, apiKey: kind === 'searxng' ? undefined : 'key' });
  return search.search(query, new AbortController().signal);
}

const page = (n: number) => ({ title: `T${n}`, url: `https://example.com/${n}` });
const expected = [
  { title: 'T1', url: 'https://example.com/1', snippet: 'S1' },
  { title: 'T2', url: 'https://example.com/2', snippet: '' },
];

// Shapes as the vendors document them: docs.searxng.org/dev/search_api.html,
// api-dashboard.search.brave.com/app/documentation/web-search, docs.tavily.com/documentation/api-reference/endpoint/search.
describe.each([
  [
    'searxng',
    { query: 'q', number_of_results: 2, results: [{ ...page(1), content: 'S1', engine: 'x' }, page(2), page(3)] },
  ],
  [
    'brave',
    { type: 'search', web: { type: 'search', results: [{ ...page(1), description: 'S1' }, page(2), page(3)] } },
  ],
  ['tavily', { query: 'q', answer: null, results: [{ ...page(1), content: 'S1', score: 0.9 }, page(2), page(3)] }],
] as const)('a search at %s', (kind, answer) => {
  it('returns the requested number of titles, URLs and snippets', async () => {
    respond = json(answer);
    expect(await find(kind, { query: 'two words', num_results: 2 })).toEqual(expected);
  });

  it('sends the request of the backend, with its key', async () => {
    respond = json(answer);
    await find(kind, { query: 'two words', num_results: 2, site: 'example.com' });
    const [{ method, url, headers, body }] = received as [Received];
    const asked = { method, path: url.pathname, ...Object.fromEntries(url.searchParams), body };
    expect(asked).toEqual(
      {
        searxng: { method: 'GET', path: '/search', q: 'two words site:example.com', format: 'json', body: '' },
        brave: {
          method: 'GET',
          path: '/res/v1/web/search',
          q: 'two words site:example.com',
          count: '2',
          text_decorations: 'false',
          body: '',
        },
        tavily: {
          method: 'POST',
          path: '/search',
          body: '{"query":"two words","max_results":2,"include_domains":["example.com"]}',
        },
      }[kind],
    );
    expect(headers.authorization).toBe(kind === 'tavily' ? 'Bearer key' : undefined);
    expect(headers['x-subscription-token']).toBe(kind === 'brave' ? 'key' : undefined);
  });

  it.each<[string, (res: ServerResponse) => void]>([
    ['an error', (res) => void res.writeHead(429).end('{}')],
    ['no JSON', (res) => void res.writeHead(200).end('<html>')],
    ['another shape', json({ web: { results: [{ title: 1 }] }, results: 7 })],
    ['a broken connection', (res) => void res.destroy()],
    ['too much', json({ results: [], filler: 'x'.repeat(3 * 1024 * 1024) })],
  ])('fails when it gets %s', async (_what, answers) => {
    respond = answers;
    await expect(find(kind, { query: 'q', num_results: 2 })).rejects.toMatchObject({ code: 'WEB_SEARCH_FAILED' });
  });
});

describe('a search', () => {
  it('returns web pages only', async () => {
    respond = json({
      results: [
        { title: 'x', url: 'javascript:alert(1)', content: '' },
        { ...page(1), content: 'S1' },
      ],
    });
    expect(await find('searxng', { query: 'q', num_results: 5 })).toEqual([expected[0]]);
  });

  it('ends when its caller leaves', async () => {
    respond = () => undefined;
    search = createWebSearch({ kind: 'searxng', url: baseUrl, apiKey: undefined });
    const leaving = new AbortController();
    const searching = search.search({ query: 'q', num_results: 1 }, leaving.signal);
    leaving.abort();
    await expect(searching).rejects.toMatchObject({ code: 'WEB_SEARCH_FAILED' });
  });

  it('fails with WEB_SEARCH_UNAVAILABLE without a backend', async () => {
    search = createWebSearch(undefined);
    const searching = search.search({ query: 'q', num_results: 1 }, new AbortController().signal);
    await expect(searching).rejects.toMatchObject({ code: 'WEB_SEARCH_UNAVAILABLE' });
  });
});
