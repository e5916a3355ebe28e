/** How schemas of clients are compiled, for `ajv`: without formats, references to other documents and messages. */
const SETTINGS = { strict: false, validateSchema: false, validateFormats: false, meta: false, logger: false };

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
  fault?: string;
  /** The time of the check, without loading libraries. */
  ms: number;
}

/** The `workerData` of the jobs. */
export const SCHEMA_JOB_DATA = {
  // From the bundle of a service, these find the service's own dependencies.
  ajv: import.meta.resolve('ajv/dist/2020.js'),
  re2js: import.meta.resolve('re2js'),
  settings: SETTINGS,
  keptMax: KEPT_MAX,
  keptCharsMax: KEPT_CHARS_MAX,
};

/** Does a `SchemaJob`. Patterns are matched in linear time, because they come from clients. */
export const SCHEMA_JOB_SOURCE = `
const { createContext, Script } = require('node:vm');
const { settings, keptMax, keptCharsMax } = workerData;
const bound = {};
const context = createContext(bound);
const script = new Script('run()');
const kept = new Map();
let keptChars = 0;

const libraries = Promise.all([import(workerData.ajv), import(workerData.re2js)]).then(([ajv, re2js]) => {
  const regExp = (pattern) => {
    const compiled = re2js.RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  };
  regExp.code = 'regExp';
  const Ajv2020 = ajv.Ajv2020 || ajv.default.Ajv2020;
  const compile = (text) => {
    const { $schema, $id, ...schema } = JSON.parse(text);
    const instance = new Ajv2020({ ...settings, code: { regExp } });
    const validate = instance.compile(schema);
    return { validate, faultOf: () => instance.errorsText(validate.errors, { dataVar: 'arguments' }) };
  };
  // The first check takes ten times as long as the next ones: it counts against no schema's time.
  compile('{"type":"string","pattern":"^a+$"}').validate('a!');
  return compile;
});

/** Keeps the schemas that were used last. */
function keep(text, entry) {
  if (!kept.delete(text)) keptChars += text.length;
  kept.set(text, entry);
  for (const [oldest] of kept) {
    if (kept.size <= keptMax && keptChars <= keptCharsMax) break;
    kept.delete(oldest);
    keptChars -= oldest.length;
  }
}

async function run({ schema, args, timeoutMs }) {
  const compile = await libraries;
  const value = args === undefined ? undefined : JSON.parse(args);
  const started = performance.now();
  const end = (result) => ({ ...result, ms: performance.now() - started });
  let entry = kept.get(schema);
  bound.run = () => {
    entry ||= compile(schema);
    return args === undefined || entry.validate(value) ? undefined : entry.faultOf();
  };
  try {
    return end({ fault: script.runInContext(context, { timeout: timeoutMs }) });
  } catch (error) {
    if (error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return end({ isLate: true });
    return end({ reason: error && error.message ? String(error.message) : 'it cannot be compiled' });
  } finally {
    if (entry) keep(schema, entry);
  }
}`;
