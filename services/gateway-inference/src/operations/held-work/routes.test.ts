import { expect, it } from '@jest/globals';
import type { CatalogModel } from '@tollgate/catalog';
import type { Connections } from '../../providers/connections/connections.js';
import { openTestConnection } from '../../testing/test-connection.js';
import { findConnectedRoutes, listConnectedRoutes } from './routes.js';

const relay = openTestConnection({ id: 'relay', preset: 'openai', base_url: 'https://relay.example/v1' });
const claude = openTestConnection({ id: 'anthropic', preset: 'anthropic' });
const connections = { find: (id: string) => [relay, claude].find((each) => each.id === id) } as Connections;

const model = {
  model_id: 'm',
  routes: [
    { provider: 'anthropic', upstream_model: 'c' },
    { provider: 'openai', connection: 'relay', upstream_model: 'r', weight: 2 },
    { provider: 'openai', connection: 'gone', upstream_model: 'g' },
  ],
} as unknown as CatalogModel;

const upstreamModels = (routes: readonly { upstreamModel: string }[]) => routes.map((route) => route.upstreamModel);

it('takes the routes whose connection is there and does the work, in their order', () => {
  expect(listConnectedRoutes(connections, model, 'models')).toMatchObject([
    { connection: 'anthropic', upstreamModel: 'c' },
    { connection: 'relay', upstreamModel: 'r', weight: 2 },
  ]);
  expect(upstreamModels(listConnectedRoutes(connections, model, 'images'))).toEqual(['r']);
  expect(upstreamModels(listConnectedRoutes(connections, model, 'models', 'anthropic'))).toEqual(['c']);
});

it('refuses a model without such a route, naming its connections', () => {
  expect(() => findConnectedRoutes(connections, model, 'models', 'xai')).toThrow(
    'no provider of model m is configured (anthropic, relay, gone)',
  );
});
