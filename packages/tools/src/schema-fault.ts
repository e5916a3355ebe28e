import { createContext, Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** Larger schemas are not checked: compiling them would block the event loop. */
const SCHEMA_CHARS_MAX = 64 * 1024;
/** A small schema can take exponential time, and all tenants share the event loop. Ordinary ones take a few milliseconds. */
const CHECK_MS_MAX = 250;
const TOO_SLOW = 'takes too long to check; make it simpler';

const bound: { run?: () => unknown } = {};
const boundContext = createContext(bound);
const boundScript = new Script('run()');

/**
 * Returns why arguments do not match the JSON Schema that the client declared for them, or that checking them takes too long.
 * Returns undefined if they match, or if the schema cannot be used. Formats are not checked.
 */
export function schemaFault(schema: Readonly<Record<string, unknown>>, args: unknown): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return undefined;
  try {
    return runBounded(() => {
      const ajv = newAjv();
      const validate = ajv.compile(withoutNames(schema));
      return validate(args) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'arguments' });
    });
  } catch (error) {
    return isTimeout(error) ? `the schema ${TOO_SLOW}` : undefined;
  }
}

/** Returns why a JSON Schema cannot be used to check arguments; undefined if it can. `timeoutMs` shortens the time of the check. */
export function compileFault(
  schema: Readonly<Record<string, unknown>>,
  { timeoutMs = CHECK_MS_MAX }: { timeoutMs?: number } = {},
): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return `has more than ${SCHEMA_CHARS_MAX} characters`;
  try {
    runBounded(() => newAjv().compile(withoutNames(schema)), timeoutMs);
    return undefined;
  } catch (error) {
    if (isTimeout(error)) return TOO_SLOW;
    return `is not a usable JSON Schema: ${error instanceof Error ? error.message : 'it cannot be compiled'}`;
  }
}

/** Runs synchronous work and ends it when its time is over. @throws an error with the code of a timeout */
function runBounded<T>(work: () => T, timeoutMs = CHECK_MS_MAX): T {
  bound.run = work;
  try {
    return boundScript.runInContext(boundContext, { timeout: Math.min(timeoutMs, CHECK_MS_MAX) }) as T;
  } finally {
    delete bound.run;
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function newAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    meta: false,
    logger: false,
    code: { regExp: linearRegExp },
  });
}

function withoutNames({ $schema: _dialect, $id: _id, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}

/** Compiles patterns for matching in linear time, because they come from clients. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
linearRegExp.code = 'linearRegExp';

// The first check of a process takes ten times as long as the next ones: it counts against no schema's time.
newAjv().compile({ type: 'string', pattern: '^a+$' })('a!');
