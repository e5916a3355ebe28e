export { type Config, configFromEnv } from './config.js';
export { agentRegistry, startAgentRegistry } from './server.js';
