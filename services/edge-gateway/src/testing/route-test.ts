import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { DescService } from '@bufbuild/protobuf';
import type { MetricsRegistry } from '@tollgate/metrics';
import { migrate, testDatabase } from '@tollgate/postgres';
import { type Handlers, LocalNetwork, type Registration, register } from '@tollgate/rpc';
import { type Clock, type Logger, silentLogger } from '@tollgate/runtime';
import { openParts } from '@tollgate/service';
import { configFromEnv } from '../config.js';
import { type Context, createContext } from '../context.js';
import type { Route } from '../http/exchange/route.js';
import { createApp } from '../http/server/app.js';
import { type EndpointRouter, endpoints } from '../http/server/endpoints.js';
import { issueApiKey } from '../operations/api-keys/issue-api-key.js';
import { registerOwner } from '../operations/sign-in/register-owner.js';
import { startSession } from '../operations/tokens/start-session.js';

/** One account with one project and every kind of credential for it. */
export interface TestTenant {
  projectId: string;
  secretKey: string;
  publishableKey: string;
  ownerToken: string;
  customerId: string;
  customerToken: string;
}

export interface RouteTest {
  app: RequestListener;
  ctx: Context;
  metrics: MetricsRegistry;
  tenant: TestTenant;
  /** Another account: its credentials are valid, and it shares nothing with the tenant. */
  stranger: TestTenant;
  stop(): Promise<void>;
}

/**
 * Builds the real HTTP app with the given routers and routes over a database of its own. `peers` replace the services behind it and
 * return the answers that a test specifies (see `peer`).
 */
export async function startRouteTest(
  name: string,
  served: readonly (EndpointRouter | Route)[],
  peers: Registration[],
  options: { env?: NodeJS.ProcessEnv; clock?: Clock; logger?: Logger } = {},
): Promise<RouteTest> {
  const database = await testDatabase(name);
  const { url, schema } = database;
  await migrate({ url, schema, directory: new URL('../../prisma/migrations', import.meta.url) });
  const network = new LocalNetwork();
  network.register(...peers);
  const config = configFromEnv({ DATABASE_URL: url, DATABASE_SCHEMA: schema, DEV_MODE: '1', ...options.env });
  const { logger = silentLogger, clock } = options;
  const parts = openParts('edge-gateway', config, { logger, clock, network });
  const ctx = await createContext(parts);
  parts.keep(parts.health).start();
  return {
    app: createApp(ctx, toRouters(served)),
    ctx,
    metrics: parts.processMetrics,
    tenant: await makeTenant(ctx),
    stranger: await makeTenant(ctx),
    async stop() {
      await parts.stop();
      await database.drop();
    },
  };
}

function toRouters(served: readonly (EndpointRouter | Route)[]): EndpointRouter[] {
  const routers = served.filter((each) => typeof each === 'function');
  return [endpoints(...served.filter((each) => typeof each !== 'function')), ...routers];
}

/** A service that does what the test says; a call that the test does not expect fails. */
export function peer<S extends DescService>(service: S, handlers: Partial<Handlers<S>>): Registration {
  const unexpected = service.methods.map(({ localName }) => [
    localName,
    () => fail(`${service.typeName}.${localName}`),
  ]);
  return register(service, { ...Object.fromEntries(unexpected), ...handlers } as Handlers<S>);
}

function fail(method: string): never {
  throw new Error(`the test expects no call of ${method}`);
}

/** An account with one project, its keys and a customer. */
export async function makeTenant(ctx: Context): Promise<TestTenant> {
  const email = `${randomUUID()}@example.com`;
  const { user, project, issued } = await registerOwner(ctx, { email, password: randomUUID() });
  const projectId = project.id;
  const publishable = await issueApiKey(ctx, ctx.pool, { projectId, kind: 'publishable', label: 'test' });
  const session = await startSession(ctx, user.id, projectId);
  const customerId = randomUUID();
  const claims = { sub: customerId, sid: randomUUID(), pid: projectId, euid: customerId, eext: 'ext', tier: 'free' };
  const { token } = await ctx.tokens.sign({ typ: 'customer', ...claims }, 600);
  return {
    projectId,
    secretKey: issued.secret,
    publishableKey: publishable.secret,
    ownerToken: session.accessToken,
    customerId,
    customerToken: token,
  };
}
