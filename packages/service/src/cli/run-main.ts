import { logUnexpectedErrors } from '@tollgate/rpc';
import { ConfigError, createLogger, type MainHost, processHost, runService } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import { type ServiceDefinition, startService } from '../start-service.js';
import { type Commands, EXIT, UsageError } from './command.js';
import { commandHelp, helpText } from './help.js';
import { migrateCommand } from './migrate.js';
import { readArguments } from './read-arguments.js';
import { runCommand } from './run-command.js';

/** A stop may take this long after the drain of calls; it is at least what `runService` grants by default. */
const CLOSE_MS = 5_000;
const STOP_MS_MIN = 25_000;

/**
 * The main program of a service: runs the service, or the command that the first argument names. Prints an invalid
 * configuration or a failed command as one line. Exit codes: 0 done, 1 failed, 2 wrong arguments.
 */
export async function runMain<Config extends ServiceConfig>(
  service: ServiceDefinition<Config>,
  host: MainHost = processHost(),
): Promise<void> {
  const commands: Commands<Config> = { migrate: migrateCommand(), ...service.commands };
  const [first, ...argv] = host.argv;
  if (first === undefined) return runForever(service, host);
  if (first === '--help' || first === '-h' || first === 'help') return host.write(helpText(service.name, commands));
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (!command) {
    host.writeError(`${service.name}: unknown argument ${first}\n\n${helpText(service.name, commands)}`);
    return host.exit(EXIT.wrongUsage);
  }
  try {
    const given = readArguments(command, argv);
    if (given.values.help === true) return await host.write(commandHelp(service.name, first, command));
    const config = readConfig(service, host);
    if (config) host.exit(await runCommand({ service, command, config, given, host }));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    host.writeError(`${service.name}: ${error.message}\n\n${commandHelp(service.name, first, command)}`);
    host.exit(EXIT.wrongUsage);
  }
}

async function runForever<Config extends ServiceConfig>(
  service: ServiceDefinition<Config>,
  host: MainHost,
): Promise<void> {
  const config = readConfig(service, host);
  if (!config) return;
  if (config.sendsTelemetry) (await import('@tollgate/runtime/telemetry')).startTelemetry(service.name);
  const logger = createLogger(service.name, config.logLevel);
  runService({
    name: service.name,
    logger,
    drainMs: stopMs(config),
    start(stopping) {
      logUnexpectedErrors(logger);
      return startService(service, config, { logger, stopping });
    },
  });
}

/** Returns how long a stop may take. */
export function stopMs({ drainMs }: Pick<ServiceConfig, 'drainMs'>): number {
  return Math.max(drainMs + CLOSE_MS, STOP_MS_MIN);
}

/** Exits 1 and returns undefined when a setting is invalid. */
function readConfig<Config extends ServiceConfig>(
  { name, configFromEnv }: ServiceDefinition<Config>,
  host: MainHost,
): Config | undefined {
  try {
    return configFromEnv(host.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    host.writeError(`${name}: ${error.message}\n`);
    host.exit(EXIT.failed);
    return undefined;
  }
}
