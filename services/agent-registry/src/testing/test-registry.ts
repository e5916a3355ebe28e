import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentService, type AgentSnapshot } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { createEmbeddedTransport, decodeEvent, eventTypes, type ReceivedEvent } from '@tollgate/events';
import { emptyDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from '../config.js';
import { startAgentRegistry } from '../server.js';

export interface AgentEvent {
  type: string;
  source: string;
  slug: string;
  revision: number;
  requestId: string | undefined;
}

export interface TestRegistry {
  client: Client<typeof AgentService>;
  /** Creates an agent; slug `helper` unless another is given. */
  makeAgent(call: Call, slug?: string, values?: object): Promise<AgentSnapshot>;
  /** Changes the fields of `helper` that the mask names. */
  change(call: Call, values: object, updateMask: string[], expectedRevision?: number): Promise<AgentSnapshot>;
  /** Returns the types of all events about an agent so far, in the order in which consumers receive them. */
  readEvents(agentId: string): Promise<AgentEvent[]>;
  stop(): Promise<void>;
}

/** Starts the service on its own database, with a consumer of its events. */
export async function startTestRegistry(name: string): Promise<TestRegistry> {
  const database = await emptyDatabase(name);
  const network = new LocalNetwork();
  const config = configFromEnv({ DATABASE_URL: database.url });
  const service = await startAgentRegistry(config, { network, logger: silentLogger });
  const client = network.client(AgentService);
  const received: ReceivedEvent[] = [];
  const transport = createEmbeddedTransport({ url: database.url, logger: silentLogger });
  await transport.start();
  const handler = async (event: ReceivedEvent) => void received.push(event);
  await transport.subscribe({ group: 'test', topics: ['tollgate.agents.v1'], handler });

  async function makeAgent(call: Call, slug = 'helper', values: object = { name: 'Helper' }): Promise<AgentSnapshot> {
    return (await client.createAgent({ slug, values }, call)).snapshot!;
  }
  return {
    client,
    makeAgent,
    async change(call, values, updateMask, expectedRevision) {
      const request = {
        slug: 'helper',
        values,
        updateMask,
        ...(expectedRevision !== undefined && { expectedRevision }),
      };
      return (await client.updateAgent(request, call)).snapshot!;
    },
    async readEvents(agentId) {
      // The transport keeps the order of commits: once a later event has arrived, all earlier ones have.
      const { agent: marker } = await makeAgent(ofNewProject());
      while (!received.some((event) => event.key === marker?.id)) await sleep(5);
      return received.filter((event) => event.key === agentId).map(toAgentEvent);
    },
    async stop() {
      await transport.stop();
      await service.stop();
      await database.drop();
    },
  };
}

function toAgentEvent(event: ReceivedEvent): AgentEvent {
  const { type, source, requestId } = event;
  const { slug, revision } = decodeEvent({ ...eventTypes.agentCreated, type }, event);
  return { type, source, slug, revision, requestId };
}

export function callFor(kind: PrincipalKind, projectId: string = randomUUID(), customerId = ''): Call {
  return startCall({ requestId: 'req-1', principal: createMessage(PrincipalSchema, { kind, projectId, customerId }) });
}

export const ofNewProject = (): Call => callFor(PrincipalKind.SECRET_KEY);

export const withTools = (...tools: object[]) => ({ name: 'Helper', toolsJson: JSON.stringify(tools) });
