import { agentRunResponse, runAgentBody } from '@tollgate/api/runs';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { agentRunRoute } from './agent-run-route.js';

export const runAgent = agentRunRoute({
  mode: AgentRunMode.RUN,
  action: 'run',
  summary: 'Run an agent and return its result, or stream its events with options.stream',
  operationId: 'runAgent',
  description:
    'Waits for the end of the run. The run continues when the client leaves; its events remain readable under its id. `customer_id` names the customer whom a secret key acts for.',
  auth: ['secret_key', 'customer'],
  body: runAgentBody,
  response: agentRunResponse,
});
