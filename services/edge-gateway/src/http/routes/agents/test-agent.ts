import { agentTestResponse, testAgentBody } from '@tollgate/api/runs';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { agentRunRoute } from './agent-run-route.js';

export const testAgent = agentRunRoute({
  mode: AgentRunMode.TEST,
  action: 'test',
  summary: 'Run an agent with mocked tools',
  operationId: 'testAgent',
  description:
    'Tool calls get the answers in `mock_tools`; with `dry_run`, a call without a mock is an error. Model calls are real and charged.',
  auth: ['secret_key'],
  body: testAgentBody,
  response: agentTestResponse,
});
