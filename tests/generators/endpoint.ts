import {
  type Change,
  editFile,
  newFile,
  type ReadFile,
  requireKebab,
  toCamel,
  toSentence,
  UsageError,
} from './names.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ROUTES = 'services/edge-gateway/src/http/routes';

/**
 * An endpoint of the edge in an existing folder of routes, listed in its router, with a test that fails until the endpoint is written.
 * @param args folder, name, HTTP method, path
 */
export function newEndpoint([folderName, endpointName, method, path]: readonly string[], read: ReadFile): Change[] {
  const folder = requireKebab(folderName, 'the folder of routes');
  const name = requireKebab(endpointName, 'the name of the endpoint');
  if (method === undefined || !METHODS.includes(method))
    throw new UsageError(`the method must be ${METHODS.join(', ')}`);
  if (!path?.startsWith('/')) throw new UsageError('the path must start with /, such as /tiers/:id');
  const route = toCamel(name);
  const index = `${ROUTES}/${folder}/index.ts`;
  const listed = editFile(read, index, /endpoints\(([^)]*?),?\s*\)/, (found) =>
    found.replace(/,?\s*\)$/, `, ${route})`),
  );
  return [
    newFile(read, `${ROUTES}/${folder}/${name}.ts`, endpointText({ name, route, method, path, folder })),
    newFile(
      read,
      `${ROUTES}/${folder}/${name}.db.test.ts`,
      testText({ route, method, path, router: findRouter(listed.text) }),
    ),
    { path: index, text: `import { ${route} } from './${name}.js';\n${listed.text}` },
  ];
}

interface Endpoint {
  route: string;
  method: string;
  path: string;
}

function endpointText({ name, route, method, path, folder }: Endpoint & { name: string; folder: string }): string {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param]) => `${param}: z.string()`);
  return `import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

export const ${route} = defineRoute({
  method: '${method}',
  path: '${path}',
  tag: '${toSentence(folder)}',
  summary: '${toSentence(name)}',
  operationId: '${route}',
  description: 'Returns …',
  auth: ['secret_key'],
${params.length > 0 ? `  params: z.object({ ${params.join(', ')} }),\n` : ''}  success: { status: ${method === 'POST' ? 201 : 200}, schema: z.object({}) },
  handler: async () => {
    throw new AppError('NOT_FOUND', 'call the RPC of the service that owns the data, then return { body }');
  },
});
`;
}

function testText({ route, method, path, router }: Endpoint & { router: string }): string {
  const example = path.replaceAll(/:\w+/g, '7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11');
  return `import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { ${router} } from './index.js';

let harness: RouteTest;

beforeAll(async () => {
  // Give the services that ${route} calls as peers: peer(BillingService, { … }).
  harness = await startRouteTest(import.meta.url, [${router}], []);
});
afterAll(() => harness.stop());

it('answers a secret key', async () => {
  const answer = await request(harness.app)
    .${method.toLowerCase()}('/api/v1${example}')
    .set('Authorization', \`Bearer \${harness.tenant.secretKey}\`);
  expect(answer.status).toBe(${method === 'POST' ? 201 : 200});
});
`;
}

function findRouter(index: string): string {
  const name = index.match(/export const (\w+) = endpoints\(/)?.[1];
  if (!name) throw new UsageError('index.ts exports no router');
  return name;
}
