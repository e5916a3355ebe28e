import { randomUUID } from 'node:crypto';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { AgentRunService } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import request, { type Test } from 'supertest';
import { mcpRouter } from '../http/routes/mcp/index.js';
import { projectRouter } from '../http/routes/projects/index.js';
import { peer, type RouteTest, startRouteTest } from './route-test.js';

/** Of every run that the test's engine starts. */
export const runId = randomUUID();

const output = [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hi' }] }];

/** Requests that reached the services behind `/v1/mcp`, and their answers. */
interface Peers {
  /** The idempotency keys that runs were started with. */
  keys: object[];
  /** The agents that runs were started of. */
  slugs: string[];
  /** Texts that runs were started with. */
  inputs: string[];
  /** The run ids and keys of cancellations. */
  cancels: string[];
  /** Thrown by the next calls, in order. */
  failures: (Error | undefined)[];
  /** Members of the end of a run. */
  ended: object;
  /** A run ends after this. */
  lasts: Promise<unknown> | undefined;
  /** Declared by the agent. */
  inputSchemaJson: string;
}

export interface McpTest extends RouteTest, Peers {
  reset(): void;
  /** Posts a message, by default as a customer. */
  send(body: object, headers?: Record<string, string>, credential?: string): Test;
}

/** Starts the edge with the agents `helper` and `a.b-c`. */
export async function startMcpTest(name: string): Promise<McpTest> {
  const peers = initialPeers();
  const harness = await startRouteTest(name, [mcpRouter, projectRouter], [agents(peers), runs(peers), engine(peers)]);
  return Object.assign(peers, harness, {
    reset: () => void Object.assign(peers, initialPeers()),
    send: (body: object, headers: Record<string, string> = {}, credential = harness.tenant.customerToken) =>
      request(harness.app)
        .post('/v1/mcp')
        .set({ Accept: 'application/json, text/event-stream', Authorization: `Bearer ${credential}`, ...headers })
        .send(body)
        .buffer(true),
  });
}

/** Returns the JSON-RPC messages of a stream. */
export function readMessages(text: string) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
}

function initialPeers(): Peers {
  return {
    keys: [],
    slugs: [],
    inputs: [],
    cancels: [],
    failures: [],
    ended: {},
    lasts: undefined,
    inputSchemaJson: '',
  };
}

function failNext({ failures }: Peers): void {
  const failure = failures.shift();
  if (failure) throw failure;
}

function agents(peers: Peers) {
  return peer(AgentService, {
    resolveAgent({ by }) {
      if (by.value !== 'helper' && by.value !== 'a.b-c') throw new AppError('NOT_FOUND', 'agent not found');
      return { snapshot: { version: { inputSchemaJson: peers.inputSchemaJson } } };
    },
    listRunnableAgents() {
      failNext(peers);
      return { agents: ['helper', 'a.b-c'].map((slug) => ({ slug, name: 'Helper' })), hasMore: true };
    },
  });
}

function runs(peers: Peers) {
  return peer(AgentRunService, {
    startAgentRun({ slug, idempotencyKey, keyUntilEnd, inputJson }) {
      peers.inputs.push(JSON.parse(Buffer.from(inputJson).toString())[0].content[0].text);
      peers.keys.push({ idempotencyKey, keyUntilEnd });
      peers.slugs.push(slug);
      failNext(peers);
      return { runId, status: 'running' };
    },
    async awaitAgentRun() {
      await peers.lasts;
      return { runId, status: 'succeeded', outputJson: Buffer.from(JSON.stringify(output)), ...peers.ended };
    },
  });
}

function engine(peers: Peers) {
  return peer(WorkflowService, {
    cancelRun({ runId: id, idempotencyKey }) {
      peers.cancels.push(id + idempotencyKey);
      failNext(peers);
      return {};
    },
    async *streamRunEvents({ afterSeq }) {
      const events = [{ type: 'run_started' }, { type: 'node_output_delta' }, { type: 'run_completed' }];
      const all = events.map((event, index) => ({ seq: index + 1, data: Buffer.from(JSON.stringify(event)) }));
      yield { events: all.slice(afterSeq, afterSeq + 1) };
      failNext(peers);
      yield { events: all.slice(afterSeq + 1) };
    },
  });
}
