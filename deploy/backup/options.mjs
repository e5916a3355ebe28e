import { parseArgs } from 'node:util';
import { localUrl } from './sources.mjs';

/** Reads the command line of both commands. @returns undefined when the help was printed */
export function readOptions(help, options = {}) {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: 'boolean' },
      compose: { type: 'boolean' },
      jobs: { type: 'string' },
      ...options,
    },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(help);
    return undefined;
  }
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new UsageError('expected one DIRECTORY');
  const jobs = Number(values.jobs ?? 4);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) throw new UsageError('--jobs: expected a number from 1 to 64');
  const env = values.local ? { ...process.env, DATABASE_URL: localUrl(process.env) } : { ...process.env };
  if (values.compose) for (const name of Object.keys(env)) if (name.endsWith('DATABASE_URL')) delete env[name];
  return { directory, jobs, env, isCompose: values.compose === true, values };
}

export class UsageError extends Error {}

/** Runs a command: errors are one line; exit code 2 for wrong arguments, 1 for failures. */
export async function runCommand(name, command) {
  try {
    await command();
  } catch (error) {
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** Calls `work` for all items, at most `limit` at the same time. Waits for those that run before it fails. */
export async function runConcurrently(items, limit, work) {
  const waiting = [...items];
  let failure;
  const next = async () => {
    for (let item = waiting.shift(); item !== undefined && !failure; item = waiting.shift()) {
      await work(item).catch((error) => {
        failure ??= error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, next));
  if (failure) throw failure;
}

export const report = (line) => process.stderr.write(`${line}\n`);
