import { createLogger, type MainHost } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import { openParts } from '../parts.js';
import { migrateService, type ServiceDefinition } from '../start-service.js';
import { type Command, type CommandCall, CommandError, EXIT, UsageError } from './command.js';
import { describeFailure } from './describe-failure.js';
import type { CommandArguments } from './read-arguments.js';

export interface CommandRun<Config extends ServiceConfig> {
  service: ServiceDefinition<Config>;
  command: Command<Config>;
  config: Config;
  given: CommandArguments;
  host: MainHost;
}

/** Runs a command within its deadline and returns its exit code. Prints a failure as one line. */
export async function runCommand<Config extends ServiceConfig>(run: CommandRun<Config>): Promise<number> {
  const { service, given, host } = run;
  const stopping = new AbortController();
  const deadline = setTimeout(() => {
    const seconds = given.timeoutMs / 1000;
    stopping.abort(new CommandError(`not done after ${seconds} s; repeat it, if need be with a longer --timeout`));
  }, given.timeoutMs);
  const aborted = new Promise<never>((_resolve, reject) => {
    stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason));
  });
  host.onSignal((signal) => stopping.abort(new CommandError(`ended by ${signal}; it may be repeated`)));
  try {
    return await Promise.race([onMigratedSchema(run, stopping.signal), aborted]);
  } catch (error) {
    host.writeError(`${service.name}: ${describeFailure(error)}\n`);
    return error instanceof UsageError ? EXIT.wrongUsage : EXIT.failed;
  } finally {
    clearTimeout(deadline);
  }
}

async function onMigratedSchema<Config extends ServiceConfig>(
  run: CommandRun<Config>,
  signal: AbortSignal,
): Promise<number> {
  const { service, command, config, host } = run;
  const { applied } = await migrateService(service, config);
  const logger = createLogger(service.name, config.logLevel, { write: (line) => host.writeError(line) });
  const parts = openParts(service.name, config, { logger });
  try {
    const code = await command.run(parts, toCall(run, applied, signal));
    return typeof code === 'number' ? code : EXIT.done;
  } finally {
    await parts.stop();
  }
}

function toCall<Config extends ServiceConfig>(
  { service, given: { args, values }, host }: CommandRun<Config>,
  migrated: readonly string[],
  signal: AbortSignal,
): CommandCall {
  return {
    args,
    migrated,
    signal,
    text(option) {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
    flag: (option) => values[option] === true,
    print: (record, text) => host.write(`${values.json === true ? toJsonLine(record) : text}\n`),
    progress: (text) => host.writeError(`${service.name}: ${text}\n`),
  };
}

/** Amounts are bigints; as JSON they are decimal text, which keeps every digit. */
function toJsonLine(record: object | string): string {
  if (typeof record === 'string') return record;
  return JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
