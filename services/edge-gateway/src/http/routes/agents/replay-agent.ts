import { agentTestResponse, replayAgentBody } from '@tollgate/api/runs';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { agentRunRoute } from './agent-run-route.js';

export const replayAgent = agentRunRoute({
  mode: AgentRunMode.REPLAY,
  action: 'replay',
  summary: 'Rerun an agent with recorded answers and tool results, or with mocked tools',
  operationId: 'replayAgent',
  description: 'With `run_id`, input, model answers and tool results of that run are used again.',
  auth: ['secret_key'],
  body: replayAgentBody,
  response: agentTestResponse,
});
