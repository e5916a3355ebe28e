import { createContext, Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import {
  CHECKED_SCHEMA_CHARS_MAX,
  SCHEMA_CHECK_MS_MAX,
  SCHEMA_COMPILER_SETTINGS,
  SCHEMA_TOO_SLOW,
} from './schema-compiler.js';

const bound: { run?: () => unknown } = {};
const boundContext = createContext(bound);
const boundScript = new Script('run()');

/**
 * Returns why arguments do not match the JSON Schema that the client declared for them, or that checking them takes too long.
 * Returns undefined if they match, or if the schema cannot be used. Formats are not checked.
 */
export function schemaFault(schema: Readonly<Record<string, unknown>>, args: unknown): string | undefined {
  if (JSON.stringify(schema).length > CHECKED_SCHEMA_CHARS_MAX) return undefined;
  try {
    return runBounded(() => {
      const ajv = newAjv();
      const validate = ajv.compile(withoutNames(schema));
      return validate(args) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'arguments' });
    });
  } catch (error) {
    return isTimeout(error) ? `the schema ${SCHEMA_TOO_SLOW}` : undefined;
  }
}

/** Returns why a JSON Schema cannot be used to check arguments; undefined if it can. */
export function compileFault(schema: Readonly<Record<string, unknown>>): string | undefined {
  if (JSON.stringify(schema).length > CHECKED_SCHEMA_CHARS_MAX)
    return `has more than ${CHECKED_SCHEMA_CHARS_MAX} characters`;
  try {
    runBounded(() => newAjv().compile(withoutNames(schema)));
    return undefined;
  } catch (error) {
    if (isTimeout(error)) return SCHEMA_TOO_SLOW;
    return `is not a usable JSON Schema: ${error instanceof Error ? error.message : 'it cannot be compiled'}`;
  }
}

/** Runs synchronous work and ends it when its time is over. @throws an error with the code of a timeout */
function runBounded<T>(work: () => T): T {
  bound.run = work;
  try {
    return boundScript.runInContext(boundContext, { timeout: SCHEMA_CHECK_MS_MAX }) as T;
  } finally {
    delete bound.run;
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function newAjv(): Ajv2020 {
  return new Ajv2020({ ...SCHEMA_COMPILER_SETTINGS, code: { regExp: linearRegExp } });
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
