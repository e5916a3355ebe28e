import { endpoints } from '../../server/endpoints.js';
import { getAgentMemory, updateAgentMemory } from './agent-memory.js';
import { replayAgent, runAgent, testAgent } from './agent-runs.js';
import { createAgent, deleteAgent, getAgent, listAgents, listAgentVersions, updateAgent } from './agents.js';

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
