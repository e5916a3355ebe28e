import type { z } from 'zod';

/** Thrown for an environment that is not a valid configuration. Lists every bad variable, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** Each fault is one line: `NAME: what is expected`. A single one shares the line of the message. */
  constructor(...faults: string[]) {
    const list = faults.length === 1 ? ` ${faults[0]}` : `\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
    super(`Invalid configuration:${list}`);
  }
}

/** Returns the environment of the process, for a main program that passes it on to its configuration. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Parses environment variables: the keys of the zod object `schema` are their names. An empty variable counts as unset.
 * Variables that the schema does not name are ignored.
 *
 * @throws ConfigError listing every variable that is missing or malformed and what is expected, without its value.
 */
export function loadConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: NodeJS.ProcessEnv,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given, { reportInput: false });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? 'environment');
    return `${name}: ${given[name] === undefined && name in schema.shape ? 'is not set; ' : ''}${describeIssue(issue)}`;
  });
  throw new ConfigError(...new Set(faults));
}

/** Describes an issue without zod's own message, which may quote the input. */
function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => String(value)).join(' or ')}`;
    case 'invalid_format':
      return `expected a valid ${issue.format}`;
    case 'too_small':
      return `expected at least ${issue.minimum}`;
    case 'too_big':
      return `expected at most ${issue.maximum}`;
    default:
      return 'has the wrong form';
  }
}
