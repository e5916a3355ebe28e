import { agentTestResponse, runEventSchema, testAgentBody } from '@tollgate/api';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { AGENT_RUN_TIMEOUT_MS, runAgentAs } from './agent-run.js';
import { agentParams } from './params.js';

export const testAgent = defineRoute({
  method: 'POST',
  path: '/projects/:id/agents/:slug/test',
  tag: 'Agents',
  summary: 'Run an agent with mocked tools',
  auth: ['secret_key'],
  params: agentParams,
  body: testAgentBody,
  bodyClass: 'documents',
  success: { status: 200, schema: agentTestResponse },
  alsoAnswers: [
    { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
    { status: 200, contentType: 'text/event-stream' },
  ],
  refusals: [402],
  idempotent: true,
  timeoutMs: AGENT_RUN_TIMEOUT_MS,
  handler: (input, ctx) => runAgentAs(AgentRunMode.TEST, input, ctx),
});
