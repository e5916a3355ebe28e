import type { ServiceConfig } from '../define-config.js';
import type { Command, CommandOption, Commands } from './command.js';
import { COMMON_OPTIONS } from './read-arguments.js';

/** Returns the list of the service's commands. */
export function helpText<Config extends ServiceConfig>(service: string, commands: Commands<Config>): string {
  const rows = Object.entries(commands).map(([name, command]) => [usage(name, command), command.summary] as const);
  return [
    `${service}: node dist/main.js [COMMAND [ARGUMENTS] [OPTIONS]]`,
    '',
    ...table([['', 'runs the service'], ...rows, ['--help', 'prints this text; after a command, its options']]),
    '',
    'Results go to standard output, logs and progress to standard error. Exit codes: 0 done; 1 failed, or verify found',
    'differences; 2 wrong arguments. Every command may be repeated. Environment variables configure the service: see',
    '"Configuration" in its README.',
    '',
  ].join('\n');
}

/** Returns the arguments and options of one command. */
export function commandHelp<Config extends ServiceConfig>(
  service: string,
  name: string,
  command: Command<Config>,
): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  return [
    `${service}: node dist/main.js ${usage(name, command)} [OPTIONS]`,
    '',
    command.summary,
    '',
    ...table(options.map(([option, shape]) => [optionUsage(option, shape), shape.summary])),
    '',
  ].join('\n');
}

function usage<Config extends ServiceConfig>(name: string, { arguments: shape }: Command<Config>): string {
  return shape ? `${name} ${shape}` : name;
}

function optionUsage(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
