export { type Config, configFromEnv } from './config.js';
export { type InferenceOverrides, type RunningInference, startInference } from './server.js';
