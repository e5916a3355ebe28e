import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseMetrics } from '@tollgate/testkit';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { bySpecificity, expressPath, hostPath } from '../paths.js';
import { turnRoutes } from '../turns/index.js';
import { routers, routes } from './index.js';

const declared = [...routes, ...turnRoutes];
const sorted = [...new Set(declared.map(({ path }) => expressPath(path)))].sort(bySpecificity);
let harness: RouteTest;

beforeAll(async () => {
  const env = { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000' };
  harness = await startRouteTest(import.meta.url, routers, [], { env });
});
afterAll(() => harness.stop());

/** Lists the URLs of a path: with ids, and with the literals of each other path that could match in their place. */
function listUrls(path: string): string[] {
  const own = path.split('/');
  const others = sorted.map((other) => other.split('/')).filter((other) => overlap(own, other));
  const urls = others.map((other) => own.map((segment, i) => (isId(segment) ? toText(other[i]!) : toText(segment))));
  return [...new Set(urls.map((url) => url.join('/')))];
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i] || isId(segment) || isId(b[i]!));
}

function isId(segment: string): boolean {
  return segment.startsWith(':');
}

/** `:model\:countTokens` → `x:countTokens` */
function toText(segment: string): string {
  return segment.replace(/^:\w+/, 'x').replace('\\', '');
}

function findPath(url: string): string {
  return sorted.find((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\/:\w+/g, '/[^/]+')}$`).test(url))!;
}

it('sends every URL to its most specific endpoint, whatever folder that is in', async () => {
  const sent: Record<string, number> = {};
  for (const url of new Set(sorted.flatMap(listUrls))) {
    const path = findPath(url);
    for (const route of declared.filter((each) => expressPath(each.path) === path)) {
      const { status } = await request(harness.app)[toName(route.method)](url).send();
      expect([url, status]).not.toEqual([url, 405]);
      const name = `${route.method} ${hostPath(route.path)}`;
      sent[name] = (sent[name] ?? 0) + 1;
    }
  }
  const { samples = [] } = parseMetrics(await harness.metrics.scrape()).tollgate_http_requests_total ?? {};
  const served: Record<string, number> = {};
  for (const { labels, value } of samples) {
    const name = `${labels.method} ${labels.route}`;
    served[name] = (served[name] ?? 0) + value;
  }
  expect(served).toEqual(sent);
  expect(Object.keys(sent)).toHaveLength(declared.length);
});

function toName(method: (typeof declared)[number]['method']) {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}
