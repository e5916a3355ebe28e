import { randomUUID } from 'node:crypto';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Message, MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { testDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { elapsed, silentLogger } from '@tollgate/runtime';
import { configFromEnv } from '../config.js';
import { startMessaging } from '../server.js';

export interface TestMessaging {
  client: Client<typeof MessagingService>;
  /** Advances by a millisecond at every reading. */
  clock: { ms: number };
  /** Sends a message; `more` overrides fields of the request. */
  send(call: Call, to: string, more?: object): Promise<Message>;
  /** Ids of the first 50 unread messages; `query` overrides fields of the request. */
  idsIn(call: Call, query: object): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts the service on a schema of its own, with a clock that advances by a millisecond at every reading. */
export async function startTestMessaging(name: string): Promise<TestMessaging> {
  const database = await testDatabase(name);
  const network = new LocalNetwork();
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  const clock = {
    ms: Date.parse('2030-01-01T00:00:00.000Z'),
    now: () => new Date(clock.ms++),
    nowMs: () => clock.ms,
    elapsed,
  };
  const service = await startMessaging(config, { network, logger: silentLogger, clock });
  const client = network.client(MessagingService);
  return {
    client,
    clock,
    async send(call, to, more = {}) {
      const { message } = await client.sendMessage({ to, subject: 'hello', bodyJson: '{"a":1}', ...more }, call);
      return message!;
    },
    async idsIn(call, query) {
      const { messages } = await client.listMessages({ unread: true, limit: 50, ...query }, call);
      return messages.map((message) => message.id);
    },
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

export function callFor(projectId: string, customerId = '', kind?: PrincipalKind): Call {
  const by = kind ?? (customerId ? PrincipalKind.CUSTOMER : PrincipalKind.SECRET_KEY);
  return startCall({ principal: createMessage(PrincipalSchema, { kind: by, projectId, customerId }) });
}

/** Returns a new project with two customers, each with one run. */
export function newProject() {
  const projectId = randomUUID();
  const ann = randomUUID();
  const bob = randomUUID();
  return {
    projectId,
    annRun: { runId: randomUUID(), customerId: ann },
    bobRun: { runId: randomUUID(), customerId: bob },
    agent: (slug: string) => `agent:${slug}@${projectId}`,
    byProject: callFor(projectId),
    byAnn: callFor(projectId, ann),
    byBob: callFor(projectId, bob),
  };
}
