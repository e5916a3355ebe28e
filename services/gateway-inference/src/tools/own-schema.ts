import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** Schemas above this size are not looked at: compiling them would hold everybody else up. */
const SCHEMA_CHARS_MAX = 64 * 1024;

/**
 * Why arguments do not fit the JSON Schema that a client has declared for them; undefined: they do, or the schema says
 * nothing that can be checked. Formats are not tried.
 */
export function schemaFault(schema: Readonly<Record<string, unknown>>, args: unknown): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return undefined;
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    meta: false,
    logger: false,
    code: { regExp: linearRegExp },
  });
  try {
    const validate = ajv.compile(rest);
    return validate(args) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'arguments' });
  } catch {
    return undefined;
  }
}

/** Patterns are a client's: they may not take more time than their text has characters. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
linearRegExp.code = 'linearRegExp';
