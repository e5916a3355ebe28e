import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** Larger schemas are not checked: compiling them would block the event loop. */
const SCHEMA_CHARS_MAX = 64 * 1024;

/**
 * Returns why arguments do not match the JSON Schema that the client declared for them. Returns undefined if they match, or if
 * the schema cannot be checked. Formats are not checked.
 */
export function schemaFault(schema: Readonly<Record<string, unknown>>, args: unknown): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return undefined;
  const ajv = newAjv();
  try {
    const validate = ajv.compile(withoutNames(schema));
    return validate(args) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'arguments' });
  } catch {
    return undefined;
  }
}

/** Returns why a JSON Schema cannot be used to check arguments; undefined if it can. */
export function compileFault(schema: Readonly<Record<string, unknown>>): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return `has more than ${SCHEMA_CHARS_MAX} characters`;
  try {
    newAjv().compile(withoutNames(schema));
    return undefined;
  } catch (error) {
    return `is not a usable JSON Schema: ${error instanceof Error ? error.message : 'it cannot be compiled'}`;
  }
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
