export type { BuiltService } from './built-service.js';
export { type Command, type CommandCall, CommandError, type Commands, UsageError } from './cli/command.js';
export { type ConsumedTopics, deadLetterCommands } from './cli/dead-letters.js';
export { type CustomerTable, exportCustomerCommand } from './cli/export-customer.js';
export { outboxCommands } from './cli/outbox.js';
export { type PruneStep, pruneCommand, pruneStep } from './cli/prune.js';
export { runMain } from './cli/run-main.js';
export {
  type ConfigDefinition,
  type ConfigReader,
  defineConfig,
  type ServiceConfig,
} from './define-config.js';
export type { DependencyCheck, DependencyReport, DependencyState } from './health/dependency.js';
export { Health, type HealthReport, type HealthStatus } from './health/health.js';
export { type HealthPort, startHealthPort } from './health/health-port.js';
export { toReason, Unhealthy } from './health/reason.js';
export { type PublishedMetrics, publishMetrics } from './metrics/publish-metrics.js';
export { openParts, type Parts, type PrismaOptions, type SharedParts } from './parts.js';
export { addressVariable, PEER_NAMES, type PeerName } from './peers.js';
export { serviceFields, sharedFields } from './service-fields.js';
export {
  migrateService,
  type RunningService,
  type ServiceDefinition,
  startService,
} from './start-service.js';
