// Loaded by the threads of schema-thread.ts.
import { createContext, Script } from 'node:vm';
// Not the whole runtime: this module is loaded at the start of each thread.
import { elapsed } from '@tollgate/runtime/clock';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** How schemas of clients are compiled: without formats, references to other documents and messages. */
const SETTINGS = { strict: false, validateSchema: false, validateFormats: false, meta: false, logger: false } as const;

/** Compiled schemas that a thread keeps, and their characters together: compiled code is about ten times as large. */
const KEPT_MAX = 256;
const KEPT_CHARS_MAX = 1024 * 1024;

/** One check of a schema, or of arguments by it. */
export interface SchemaJob {
  /** A JSON object. */
  schema: string;
  /** Absent: the schema is only compiled. */
  args?: string | undefined;
  timeoutMs: number;
}

export interface SchemaJobResult {
  /** The check was ended because its time was over. */
  isLate?: boolean;
  /** Why the schema cannot be used. */
  reason?: string;
  /** Why the arguments do not match. */
  fault?: string | undefined;
  /** The time of the check, without loading libraries. */
  ms: number;
}

interface Compiled {
  validate(value: unknown): boolean;
  /** Returns why the last value does not match. */
  findFault(): string;
}

/** Script code runs in a context, because only there a check can be ended when its time is over. */
const bound: { run?: () => string | undefined } = {};
const context = createContext(bound);
const script = new Script('run()');
const kept = new Map<string, Compiled>();
let keptChars = 0;

// The first check takes ten times as long as the next ones: it counts against no schema's time.
compile('{"type":"string","pattern":"^a+$"}').validate('a!');

/** Does one check. */
export function run({ schema, args, timeoutMs }: SchemaJob): SchemaJobResult {
  const value: unknown = args === undefined ? undefined : JSON.parse(args);
  const startedMs = elapsed();
  const end = (result: Omit<SchemaJobResult, 'ms'>) => ({ ...result, ms: elapsed() - startedMs });
  let entry = kept.get(schema);
  bound.run = () => {
    entry ??= compile(schema);
    return args === undefined || entry.validate(value) ? undefined : entry.findFault();
  };
  try {
    return end({ fault: script.runInContext(context, { timeout: timeoutMs }) as string | undefined });
  } catch (error) {
    if (hasProperty(error, 'code') && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return end({ isLate: true });
    const isExplained = hasProperty(error, 'message') && error.message;
    return end({ reason: isExplained ? String(error.message) : 'it cannot be compiled' });
  } finally {
    if (entry) keep(schema, entry);
  }
}

function compile(text: string): Compiled {
  const { $schema, $id, ...schema } = JSON.parse(text) as Record<string, unknown>;
  const instance = new Ajv2020({ ...SETTINGS, code: { regExp: toLinear } });
  const validate = instance.compile(schema);
  return { validate, findFault: () => instance.errorsText(validate.errors, { dataVar: 'arguments' }) };
}

/** A pattern that is matched in linear time, because it comes from a client. `code` is the name that ajv puts into code. */
function toLinear(pattern: string) {
  const compiled = RE2JS.compile(pattern);
  return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
}
toLinear.code = 'regExp';

/** Keeps the schemas that were used last. */
function keep(text: string, entry: Compiled): void {
  if (!kept.delete(text)) keptChars += text.length;
  kept.set(text, entry);
  for (const [oldest] of kept) {
    if (kept.size <= KEPT_MAX && keptChars <= KEPT_CHARS_MAX) break;
    kept.delete(oldest);
    keptChars -= oldest.length;
  }
}

function hasProperty<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}
