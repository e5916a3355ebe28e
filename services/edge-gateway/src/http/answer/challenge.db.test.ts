import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { hostPath } from '../paths.js';
import { routers, routes } from '../routes/index.js';
import { turnRoutes } from '../turns/index.js';
import { challenge } from './challenge.js';

let harness: RouteTest;

beforeAll(async () => {
  // More refusals than one address may cause in a minute.
  const env = { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000' };
  harness = await startRouteTest(import.meta.url, routers, [], { env });
});
afterAll(() => harness.stop());

const send = (method: string, path: string) => {
  const url = hostPath(path).replaceAll(/\/:\w+/g, () => `/${randomUUID()}`);
  const name = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  return request(harness.app)[name](url).set('Authorization', 'Bearer none');
};

describe('a 401', () => {
  it('names the scheme on every endpoint that needs a credential, in every dialect', async () => {
    const closed = [...routes, ...turnRoutes].filter(({ auth, method, path }) => auth !== 'none' && method && path);
    expect(closed.length).toBeGreaterThan(200);
    const unnamed: string[] = [];
    for (const { method, path } of closed) {
      const { status, headers } = await send(method, path);
      const named = String(headers['www-authenticate'] ?? '');
      if (status === 401 && !/^Bearer( resource_metadata="[^"]+")?$/.test(named)) unnamed.push(`${method} ${path}`);
      if (status !== 401 && status !== 403) unnamed.push(`${method} ${path} answered ${status}`);
    }
    expect(unnamed).toEqual([]);
  });

  it('names a description of the resource to clients of the Model Context Protocol', async () => {
    const { headers } = await send('POST', '/v1/mcp').set('Host', 'gate.example:8080');
    const url = /^Bearer resource_metadata="http:\/\/gate\.example:8080(\/[^"]+)"$/.exec(
      headers['www-authenticate'] ?? '',
    )?.[1];
    const { status, body } = await request(harness.app)
      .get(url ?? '/')
      .set('Host', 'gate.example:8080');
    expect([status, body]).toEqual([
      200,
      {
        resource: 'http://gate.example:8080/v1/mcp',
        resource_name: 'Tollgate',
        bearer_methods_supported: ['header'],
        resource_documentation: 'http://gate.example:8080/docs',
      },
    ]);
  });

  it('uses the configured address before the client’s, and no host that a header cannot hold', () => {
    const route = { path: '/v1/mcp' };
    const at = (publicBaseUrl: string | undefined, host: string | undefined) =>
      challenge({ ctx: { config: { ...harness.ctx.config, publicBaseUrl } }, req: { headers: { host } }, route });
    const document = '/.well-known/oauth-protected-resource/v1/mcp';
    expect(at('https://gate.example/', 'other')).toBe(`Bearer resource_metadata="https://gate.example${document}"`);
    expect([at(undefined, 'a"b'), at(undefined, undefined)]).toEqual(['Bearer', 'Bearer']);
  });
});
