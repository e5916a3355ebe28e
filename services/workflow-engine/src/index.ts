export { type Config, configFromEnv } from './config.js';
export { migrateWorkflow, type RunningWorkflow, startWorkflow, type WorkflowOverrides } from './server.js';
