export { type Config, configFromEnv } from './config.js';
export {
  type AgentRegistryOverrides,
  migrateAgentRegistry,
  type RunningAgentRegistry,
  startAgentRegistry,
} from './server.js';
