import { endpoints } from '../../server/endpoints.js';
import { createAgent } from './create-agent.js';
import { deleteAgent } from './delete-agent.js';
import { getAgent } from './get-agent.js';
import { listAgentVersions } from './list-agent-versions.js';
import { listAgents } from './list-agents.js';
import { getAgentMemory } from './memory/get-agent-memory.js';
import { updateAgentMemory } from './memory/update-agent-memory.js';
import { replayAgent } from './replay-agent.js';
import { runAgent } from './run-agent.js';
import { testAgent } from './test-agent.js';
import { updateAgent } from './update-agent.js';

export const agentRouter = endpoints(
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  getAgentMemory,
  updateAgentMemory,
  runAgent,
  testAgent,
  replayAgent,
);
