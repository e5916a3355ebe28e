import { type AppendSessionMessageRequest, SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AgentRunService } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { BackgroundResponseService } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { BatchService, FileService } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import type { MetricsRegistry } from '@tollgate/metrics';
import type { TestDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, type Registration, register, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { type Config, configFromEnv } from '../config.js';
import { startWorkflow } from '../server.js';
import { FakeAgents } from './fake-agents.js';
import { FakeBilling } from './fake-billing.js';
import { FakeInference } from './fake-inference.js';
import { FakeTools } from './fake-tools.js';

export const PROJECT = '11111111-1111-4111-8111-111111111111';
export const OTHER_PROJECT = '22222222-2222-4222-8222-222222222222';
export const CUSTOMER = '33333333-3333-4333-8333-333333333333';
export const OTHER_CUSTOMER = '44444444-4444-4444-8444-444444444444';
const DRAIN_MS = 100;
const ACCOUNT = '55555555-5555-4555-8555-555555555555';

export function secretKey(projectId = PROJECT, customerId = ''): Principal {
  return createMessage(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, accountId: ACCOUNT, projectId, customerId });
}

export function customerToken(customerId = CUSTOMER, projectId = PROJECT): Principal {
  return createMessage(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, accountId: ACCOUNT, projectId, customerId });
}

export function callAs(principal: Principal = secretKey(), timeoutMs = 30_000): Call {
  return startCall({ principal, timeoutMs });
}

export interface TestEngine {
  client: Client<typeof WorkflowService>;
  agentRuns: Client<typeof AgentRunService>;
  files: Client<typeof FileService>;
  batches: Client<typeof BatchService>;
  background: Client<typeof BackgroundResponseService>;
  stop(): Promise<void>;
}

/** A session that belongs to the tests' project. */
export const SESSION = '66666666-6666-4666-8666-666666666666';

function registerToolState(projectId: string, { memories }: FakeAgents): Registration {
  return register(ToolStateService, {
    async applyToolOperations({ scope }, call) {
      const isOurs = scope.case === 'sessionId' && scope.value === SESSION;
      if (!isOurs || call.requirePrincipal().projectId !== projectId) throw new AppError('NOT_FOUND', 'no session');
      return { outputs: [] };
    },
    writeAgentMemory: async () => ({}),
    readAgentMemory: async ({ agentId }) => ({ content: memories.get(agentId) ?? '' }),
  });
}

/** Simulates the session of the tests' project. Stores the appended messages by their id. */
export class FakeSessions {
  readonly messages = new Map<string, AppendSessionMessageRequest>();
  /** Every append, with its customer. */
  readonly appends: { req: AppendSessionMessageRequest; customerId: string }[] = [];
  /** Called after an append has taken effect. Throwing simulates a lost answer. */
  answer: () => void = () => undefined;

  registration(): Registration {
    const appendSessionMessage = async (req: AppendSessionMessageRequest, call: Call) => {
      this.appends.push({ req, customerId: call.requirePrincipal().customerId });
      if (req.id !== SESSION) throw new AppError('NOT_FOUND', 'no session');
      this.messages.set(req.messageId, req);
      this.answer();
      return { message: { id: req.messageId, seq: this.messages.size } };
    };
    return { service: SessionService, handlers: { appendSessionMessage } };
  }
}

/** The fake peers that the engines of one test share. */
export interface Peers {
  billing: FakeBilling;
  inference: FakeInference;
  tools: FakeTools;
  agents: FakeAgents;
  sessions: FakeSessions;
  /** Starts a separate engine on the database. Several engines act like several processes. */
  engine(options?: {
    url?: string;
    work?: Partial<Config['work']>;
    usesNotify?: boolean;
    sandboxProvider?: boolean;
    metrics?: MetricsRegistry;
  }): Promise<TestEngine>;
  stopAll(): Promise<void>;
}

export function createPeers(database: Omit<TestDatabase, 'analyze' | 'countLockWaits'>): Peers {
  const shared = new LocalNetwork();
  const billing = new FakeBilling();
  const inference = new FakeInference(shared);
  const tools = new FakeTools();
  shared.register(billing.registration());
  const agents = new FakeAgents(PROJECT);
  const toolState = registerToolState(PROJECT, agents);
  const sessions = new FakeSessions();
  const engines: TestEngine[] = [];
  return {
    billing,
    inference,
    tools,
    agents,
    sessions,
    async engine({ url = database.url, work = {}, usesNotify = true, sandboxProvider = false, metrics } = {}) {
      const network = new LocalNetwork();
      network.register(
        billing.registration(),
        billing.holds(),
        inference.registration(),
        inference.storedResponses(),
        tools.registration(),
        agents.registration(),
        toolState,
        sessions.registration(),
      );
      const base = configFromEnv({ DATABASE_URL: url, DATABASE_SCHEMA: database.schema, DATABASE_POOL_MAX: '6' });
      // A test that leaves a call without an answer does not wait for the drain.
      const config = { ...base, usesNotify, sandboxProvider, work: { ...base.work, drainMs: DRAIN_MS, ...work } };
      const running = await startWorkflow(config, { network, logger: silentLogger, metrics });
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= running.stop();
        return stopped;
      };
      const engine = {
        client: network.client(WorkflowService),
        agentRuns: network.client(AgentRunService),
        files: network.client(FileService),
        batches: network.client(BatchService),
        background: network.client(BackgroundResponseService),
        stop,
      };
      engines.push(engine);
      return engine;
    },
    async stopAll() {
      await Promise.all(engines.splice(0).map((engine) => engine.stop()));
    },
  };
}
