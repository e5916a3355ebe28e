import { agentRunResponse, runAgentBody, runEventSchema } from '@tollgate/api';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS, runAgentAs } from './agent-run.js';
import { agentParams } from './params.js';

export const runAgent = defineRoute({
  method: 'POST',
  path: '/projects/:id/agents/:slug/run',
  tag: 'Agents',
  summary: 'Run an agent and wait for its answer, or for its events with options.stream',
  auth: ['secret_key', 'customer'],
  params: agentParams,
  body: runAgentBody,
  bodyClass: 'documents',
  success: { status: 200, schema: agentRunResponse },
  alsoAnswers: [
    { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
    { status: 200, contentType: 'text/event-stream' },
  ],
  refusals: [402],
  idempotent: true,
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  handler: (input, ctx) => runAgentAs(AgentRunMode.RUN, input, ctx),
});
