export { type ConfigDefinition, type ConfigReader, defineConfig, type ServiceConfig } from './define-config.js';
export { type HealthPort, startHealthPort } from './health/health-port.js';
export { type PublishedMetrics, publishMetrics } from './metrics/publish-metrics.js';
export { openParts, type Parts, type PrismaOptions, type SharedParts } from './parts.js';
export { addressVariable, PEER_NAMES, type PeerName } from './peers.js';
export { serviceFields, sharedFields } from './service-fields.js';
export {
  type BuiltService,
  migrateService,
  type RunningService,
  type ServiceCommand,
  type ServiceDefinition,
  serviceMain,
  startService,
} from './start-service.js';
