import { agentTestResponse, testAgentBody } from '@tollgate/api/runs';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { agentRunRoute } from './agent-run-route.js';

export const testAgent = agentRunRoute({
  mode: AgentRunMode.TEST,
  action: 'test',
  summary: 'Run an agent with mocked tools',
  auth: ['secret_key'],
  body: testAgentBody,
  response: agentTestResponse,
});
