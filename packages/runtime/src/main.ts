import { ConfigError, processEnvironment } from './config.js';
import { runService } from './lifecycle.js';
import { createLogger, type Logger, type LogLevel } from './logger.js';
import type { Stoppable } from './stoppable.js';

/** A task that an operator runs in the service's image instead of the service: `node dist/main.js --<name> ARGUMENTS`. */
export interface Command<Config> {
  /** The arguments as `--help` shows them, for example `EMAIL CENTS [CAUSE]`. */
  arguments?: string;
  summary: string;
  /** Returns the text for standard output. An error is printed as one line and exits 1. */
  run(config: Config, args: readonly string[]): Promise<string>;
}

export interface ServiceMain<Config extends { logLevel: LogLevel }> {
  name: string;
  /** @throws ConfigError */
  readConfig(env: NodeJS.ProcessEnv): Config;
  /** Applies the migrations of the service's database: the command `--migrate-only` of every service. */
  migrate(config: Config): Promise<void>;
  start(config: Config, logger: Logger): Promise<Stoppable>;
  /** Default: that of `runService`. */
  drainMs?(config: Config): number;
  /** Commands that only this service has. */
  commands?: Readonly<Record<string, Command<Config>>>;
}

/** The part of `process` that a main program uses; tests replace it. */
export interface MainHost {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
  exit(code: number): void;
}

const processHost: MainHost = {
  argv: process.argv.slice(2),
  env: processEnvironment(),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  exit: (code) => process.exit(code),
};

/**
 * The main program of a service: runs the service, or the command that the first argument names. Prints an invalid
 * configuration or a failed command without a stack trace and exits 1; exits 2 for an unknown argument.
 */
export async function runMain<Config extends { logLevel: LogLevel }>(
  service: ServiceMain<Config>,
  host: MainHost = processHost,
): Promise<void> {
  const [flag, ...args] = host.argv;
  const commands: Record<string, Command<Config>> = { '--migrate-only': migrateOnly(service), ...flags(service) };
  const help = helpText(service.name, commands);
  if (flag === '--help' || flag === '-h') return host.write(help);
  const command = flag === undefined ? undefined : commands[flag];
  if (flag !== undefined && !command) {
    host.writeError(`${service.name}: unknown argument ${flag}\n\n${help}`);
    return host.exit(2);
  }
  const config = readConfig(service, host);
  if (!config) return host.exit(1);
  if (command) return runCommand(service.name, command, config, args, host);
  if (host.env.OTEL_ENABLED === '1') (await import('./telemetry.js')).startTelemetry(service.name);
  const logger = createLogger(service.name, config.logLevel);
  const drainMs = service.drainMs?.(config);
  runService({
    name: service.name,
    logger,
    ...(drainMs !== undefined && { drainMs }),
    start: () => service.start(config, logger),
  });
}

function migrateOnly<Config extends { logLevel: LogLevel }>(service: ServiceMain<Config>): Command<Config> {
  return {
    summary: 'applies the migrations of the database and exits',
    async run(config) {
      await service.migrate(config);
      return 'the database is up to date';
    },
  };
}

function flags<Config extends { logLevel: LogLevel }>({ commands = {} }: ServiceMain<Config>) {
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [`--${name}`, command]));
}

function readConfig<Config extends { logLevel: LogLevel }>(
  { name, readConfig }: ServiceMain<Config>,
  host: MainHost,
): Config | undefined {
  try {
    return readConfig(host.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    host.writeError(`${name}: ${error.message}\n`);
    return undefined;
  }
}

async function runCommand<Config>(
  name: string,
  command: Command<Config>,
  config: Config,
  args: readonly string[],
  host: MainHost,
): Promise<void> {
  const wanted = command.arguments?.split(' ').filter((argument) => !argument.startsWith('[')) ?? [];
  if (args.length < wanted.length) {
    host.writeError(`${name}: expected ${command.arguments}\n`);
    return host.exit(2);
  }
  try {
    host.write(`${await command.run(config, args)}\n`);
  } catch (error) {
    host.writeError(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    host.exit(1);
  }
}

function helpText<Config>(name: string, commands: Readonly<Record<string, Command<Config>>>): string {
  const rows = Object.entries(commands).map(([flag, { arguments: names, summary }]) => ({
    usage: names ? `${flag} ${names}` : flag,
    summary,
  }));
  rows.unshift({ usage: '', summary: 'runs the service' });
  rows.push({ usage: '--help', summary: 'prints this text' });
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  return [
    `${name}: node dist/main.js [command]`,
    '',
    ...rows.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`),
    '',
    'Environment variables configure it: see "Configuration" in the README of the service.',
    '',
  ].join('\n');
}
