import { agentTestResponse, replayAgentBody, runEventSchema } from '@tollgate/api';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS, runAgentAs } from './agent-run.js';
import { agentParams } from './params.js';

export const replayAgent = defineRoute({
  method: 'POST',
  path: '/projects/:id/agents/:slug/replay',
  tag: 'Agents',
  summary: 'Run an agent once more with recorded answers and tool results, or with mocked tools',
  auth: ['secret_key'],
  params: agentParams,
  body: replayAgentBody,
  bodyClass: 'documents',
  success: { status: 200, schema: agentTestResponse },
  alsoAnswers: [
    { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
    { status: 200, contentType: 'text/event-stream' },
  ],
  refusals: [402],
  idempotent: true,
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  handler: (input, ctx) => runAgentAs(AgentRunMode.REPLAY, input, ctx),
});
