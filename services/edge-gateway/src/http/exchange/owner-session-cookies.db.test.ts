import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isCompatiblePath } from '../paths.js';
import { routes } from '../routes/index.js';
import { turnRoutes } from '../turns/index.js';
import { withOwnerSessions } from './owner-sessions.js';
import { defineRoute, type Route } from './route.js';

const base = { method: 'GET', tag: 'T', summary: 'List', success: { status: 200 } } as const;
const keyRoute = (path: string, more: Partial<Route> = {}): Route =>
  defineRoute({
    ...base,
    path,
    auth: ['secret_key', 'customer'],
    handler: async ({ params }) => ({ body: params }),
    ...more,
  });
const named = (list: readonly Route[]) => list.map(({ method, path, auth }) => [`${method} ${path}`, auth]);

describe('withOwnerSessions', () => {
  it('adds a twin under the project for every endpoint that accepts a secret key', () => {
    const things = [
      keyRoute('/runs/:id/events'),
      keyRoute('/customers/me', { auth: ['customer'] }),
      keyRoute('/v1/models'),
      keyRoute('/open', { auth: 'none' }),
    ];
    expect(named(withOwnerSessions(things).twins)).toEqual([['GET /projects/:id/runs/:run_id/events', ['owner']]]);
  });

  it('opens a project endpoint that accepts only keys', () => {
    const [route] = withOwnerSessions([keyRoute('/projects/:id/agents/:slug/run')]).declared;
    expect(route).toMatchObject({ auth: ['secret_key', 'customer', 'owner'], ownerActsAsKey: true });
  });

  it('keeps an endpoint that already has the address of a twin', () => {
    const own = keyRoute('/projects/:id/customers/:customer_id', { auth: ['owner'] });
    expect(withOwnerSessions([own, keyRoute('/customers/:id')]).twins).toEqual([]);
  });

  it('passes the handler its own parameters', async () => {
    const params = z.object({ id: z.string().toLowerCase(), event_id: z.string() });
    const [twin] = withOwnerSessions([keyRoute('/runs/:id/events/:event_id', { params })]).twins;
    const parsed = twin!.params!.parse({ id: 'p', run_id: 'R', event_id: 'E' });
    const result = await twin!.handler({ params: parsed } as never, {} as never);
    expect(result).toEqual({ body: { id: 'r', event_id: 'E' } });
  });
});

describe('the route table', () => {
  const all = [...routes, ...turnRoutes];
  // A colon inside a segment belongs to the address, as in `:model:generateContent`.
  const toShape = (path: string) => path.replace(/(?<=\/):\w+/g, ':');
  const address = ({ method, path }: { method: string; path: string }) => `${method} ${toShape(path)}`;

  it('lets an owner do in a project everything that a secret key may do', () => {
    const ofOwners = new Set(all.filter(({ auth }) => auth.includes('owner')).map(address));
    const ofKeys = all.filter(({ auth, path }) => auth.includes('secret_key') && !isCompatiblePath(path));
    const inProject = ({ path }: { path: string }) =>
      path.startsWith('/projects/:id') ? path : `/projects/:id${path}`;
    const missing = ofKeys.map((route) => address({ method: route.method, path: inProject(route) }));
    expect(missing.filter((each) => !ofOwners.has(each))).toEqual([]);
  });

  it('has one endpoint per address, and one name per parameter at an address', () => {
    const addresses = all.map(address);
    expect(addresses.filter((each, i) => addresses.indexOf(each) !== i)).toEqual([]);
    const namesAt = new Map<string, Set<string>>();
    for (const { path } of all) {
      const shape = toShape(path);
      namesAt.set(shape, (namesAt.get(shape) ?? new Set()).add(path));
    }
    expect([...namesAt.values()].filter(({ size }) => size > 1)).toEqual([]);
  });
});
