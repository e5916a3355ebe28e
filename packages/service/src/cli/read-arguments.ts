import { parseArgs } from 'node:util';
import { fields } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import { type Command, type CommandOption, UsageError } from './command.js';

/** The options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, CommandOption>> = {
  json: { summary: 'prints each result as one line of JSON' },
  timeout: { value: 'TIME', summary: 'ends the command after this long, for example 30s or 10m' },
  help: { summary: 'prints the arguments and options of the command' },
};

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
/** The longest timer of Node. */
const TIMEOUT_MS_MAX = 2_147_483_647;

export interface CommandArguments {
  args: readonly string[];
  values: Readonly<Record<string, string | boolean | undefined>>;
  timeoutMs: number;
}

/** @throws UsageError naming the wrong argument */
export function readArguments<Config extends ServiceConfig>(
  command: Command<Config>,
  argv: readonly string[],
): CommandArguments {
  const { values, positionals } = parse(command, argv);
  if (values.help !== true) checkCount(command, positionals);
  return {
    args: positionals,
    values,
    timeoutMs: readTimeout(values.timeout) ?? command.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
}

function parse<Config extends ServiceConfig>({ options = {} }: Command<Config>, argv: readonly string[]) {
  const known = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, { value }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    const parsed = parseArgs({ args: [...argv], options: Object.fromEntries(known), allowPositionals: true });
    return { values: parsed.values as CommandArguments['values'], positionals: parsed.positionals };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(sentence);
  }
}

function checkCount<Config extends ServiceConfig>(
  { arguments: shape = '' }: Command<Config>,
  args: readonly string[],
): void {
  const names = shape.split(' ').filter((name) => name !== '');
  const required = names.filter((name) => !name.startsWith('['));
  if (args.length < required.length) throw new UsageError(`expected ${shape}`);
  if (args.length > names.length) throw new UsageError(`unexpected argument ${args[names.length]}`);
}

function readTimeout(text: string | boolean | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = fields.integer().safeParse(text).success ? undefined : fields.durationMs().safeParse(text);
  if (!parsed?.success || parsed.data === 0) throw new UsageError('--timeout: expected a time such as 30s or 10m');
  return Math.min(parsed.data, TIMEOUT_MS_MAX);
}
