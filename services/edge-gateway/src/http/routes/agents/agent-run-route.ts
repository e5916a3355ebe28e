import { type ReplayAgentBody, type RunAgentBody, runEventSchema, type TestAgentBody } from '@tollgate/api/runs';
import type { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import type { z } from 'zod';
import type { Credential } from '../../../auth/authenticate.js';
import { defineRoute, type Route } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS, runAgentAs } from './agent-run.js';
import { agentParams } from './params.js';

interface AgentRunRoute {
  mode: AgentRunMode;
  /** Last segment of the path. */
  action: 'run' | 'test' | 'replay';
  operationId: string;
  summary: string;
  description: string;
  auth: readonly Credential[];
  body: z.ZodType<RunAgentBody | TestAgentBody | ReplayAgentBody>;
  /** Schema of the response without `options.stream`. */
  response: z.ZodType;
}

/** Defines a route that runs an agent and waits for its result or streams its events. */
export function agentRunRoute({ mode, action, response, ...route }: AgentRunRoute): Route {
  return defineRoute({
    ...route,
    method: 'POST',
    path: `/projects/:id/agents/:slug/${action}`,
    tag: 'Agents',
    params: agentParams,
    bodyClass: 'documents',
    success: { status: 200, schema: response },
    alsoAnswers: [
      { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
      { status: 200, schema: runEventSchema, contentType: 'text/event-stream' },
    ],
    refusals: [402],
    idempotent: true,
    timeoutMs: AGENT_RUN_TIMEOUT_MS,
    handler: (input, ctx) => runAgentAs(mode, input, ctx),
  });
}
