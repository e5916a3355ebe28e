import { findSchemaFault, metaschema, type SchemaPath } from './schema-rules.js';
import { isGiven, isObject, type Json, listObjects, VendorRefusal } from './vendor-refusal.js';

const NAME = /^[a-zA-Z0-9_-]+$/;
const NAME_CHARS_MAX = 64;
const TOOLS_MAX = 128;
const topLevelOnly = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

/** A function as both of OpenAI's interfaces declare it. */
export interface DeclaredFunction {
  /** Its path in the body: `tools[0].function`. */
  at: string;
  name: unknown;
  parameters: unknown;
  strict: unknown;
}

/**
 * Rules of OpenAI's functions. Sources: developers.openai.com/api/reference (chat and responses, `tools`), the guides
 * function-calling and structured-outputs, and the vendor's messages as users report them.
 */
export function checkFunctions(tools: unknown, functions: readonly DeclaredFunction[]): void {
  if (tools === undefined) return;
  requireList(tools, 'tools', TOOLS_MAX);
  for (const each of functions) {
    checkName(each.name, `${each.at}.name`);
    checkParameters(each);
  }
}

/** Rules of a choice and of parallel calls. `names` are those of the declared functions. */
export function checkChoice(body: Json, chosen: unknown, names: readonly unknown[]): void {
  for (const member of ['tool_choice', 'parallel_tool_calls']) {
    if (isGiven(body[member]) && !isGiven(body.tools)) {
      refuse(`'${member}' is only allowed when 'tools' are specified.`, member);
    }
  }
  if (chosen !== undefined && !names.includes(chosen)) {
    refuse(`Tool choice '${String(chosen)}' not found in 'tools' parameter.`, 'tool_choice');
  }
}

/** Rules of names of functions and of formats. */
export function checkName(name: unknown, at: string): void {
  if (typeof name !== 'string') refuse(`Missing required parameter: '${at}'.`, at, 'missing_required_parameter');
  else if (name.length > NAME_CHARS_MAX) {
    const text = `Expected a string with maximum length ${NAME_CHARS_MAX}, but got a string with length ${name.length}`;
    refuse(`Invalid '${at}': string too long. ${text} instead.`, at, 'string_above_max_length');
  } else if (!NAME.test(name)) {
    const text = `Expected a string that matches the pattern '${NAME.source}'.`;
    refuse(`Invalid '${at}': string does not match pattern. ${text}`, at, 'invalid_value');
  }
}

/** Rules of a schema that an answer must have. */
export function checkFormat(name: unknown, schema: unknown, strict: unknown, at: string): void {
  checkName(name, `${at}.name`);
  const of = `response_format '${String(name)}'`;
  if (!isObject(schema)) refuse(`Missing required parameter: '${at}.schema'.`, at, 'missing_required_parameter');
  const fault =
    typeFault(schema) ?? findSchemaFault(schema, metaschema) ?? (strict === true ? strictFault(schema) : undefined);
  if (fault !== undefined) refuse(`Invalid schema for ${of}: ${fault}`, at);
}

export function requireList(list: unknown, at: string, lengthMax: number): void {
  const length = Array.isArray(list) ? list.length : 0;
  if (length === 0) {
    const text = 'Expected an array with minimum length 1, but got an empty array instead.';
    refuse(`Invalid '${at}': empty array. ${text}`, at, 'empty_array');
  }
  if (length > lengthMax) {
    const text = `Expected an array with maximum length ${lengthMax}, but got an array with length ${length} instead.`;
    refuse(`Invalid '${at}': array too long. ${text}`, at, 'array_above_max_length');
  }
}

export function refuse(message: string, param: string | null = null, code: string | null = null): never {
  throw new VendorRefusal(message, { param, code });
}

/** Without parameters, a function has none. */
function checkParameters({ at, name, parameters, strict }: DeclaredFunction): void {
  if (!isGiven(parameters)) return;
  const fault = isObject(parameters) ? parametersFault(parameters, strict === true) : 'got \'type: "None"\'.';
  if (fault === undefined) return;
  refuse(`Invalid schema for function '${String(name)}': ${fault}`, `${at}.parameters`, 'invalid_function_parameters');
}

function parametersFault(schema: Json, isStrict: boolean): string | undefined {
  const type = typeFault(schema);
  if (type !== undefined) return type;
  if (topLevelOnly.some((keyword) => schema[keyword] !== undefined)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  }
  if (!isObject(schema.properties)) return 'In context=(), object schema missing properties.';
  return (
    findSchemaFault(schema, metaschema) ??
    findSchemaFault(schema, arrays) ??
    (isStrict ? strictFault(schema) : undefined)
  );
}

function typeFault({ type }: Json): string | undefined {
  if (type === 'object') return undefined;
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(type ?? 'None')}"'.`;
}

function arrays(schema: Json, path: SchemaPath): string | undefined {
  const isArray = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
  if (!isArray || schema.items !== undefined || schema.prefixItems !== undefined) return undefined;
  return `In context=${toContext(path)}, array schema missing items.`;
}

const strictKeywords = new Set([
  ...['$defs', '$ref', '$schema', 'additionalProperties', 'anyOf', 'const', 'definitions', 'description', 'enum'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'format', 'items', 'maxItems', 'maximum', 'minItems', 'minimum'],
  ...['multipleOf', 'pattern', 'properties', 'required', 'title', 'type'],
]);

function strictFault(schema: Json): string | undefined {
  return findSchemaFault(schema, (inner, path) => {
    const context = `In context=${toContext(path)}`;
    const unknown = Object.keys(inner).find((keyword) => !strictKeywords.has(keyword));
    if (unknown !== undefined) return `${context}, '${unknown}' is not permitted.`;
    const isAnObject = inner.type === 'object' || isObject(inner.properties);
    if (isAnObject && inner.additionalProperties !== false) {
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = Array.isArray(inner.required) ? inner.required : [];
    const missing = Object.keys(inner.properties ?? {}).find((name) => !required.includes(name));
    if (missing === undefined) return arrays(inner, path);
    const text = "'required' is required to be supplied and to be an array including every key in properties.";
    return `${context}, ${text} Missing '${missing}'.`;
  });
}

/** The vendor writes paths as tuples of Python. */
function toContext(path: SchemaPath): string {
  return path.length === 1 ? `('${path[0]}',)` : `(${path.map((name) => `'${name}'`).join(', ')})`;
}

/** The names of OpenAI's own models that reason before they answer. */
export function isReasoningModel(model: unknown): boolean {
  const name = String(model);
  return /^(o\d|gpt-[56])/.test(name) && !name.includes('chat');
}

/** Whether the name is that of one of OpenAI's own models. */
export function isOpenAiModel(model: unknown): boolean {
  return /^(o\d|gpt-[3-6]|chatgpt-)/.test(String(model));
}

/** Models whose reasoning is off unless it is asked for. */
const restsByDefault = /^gpt-5\.[1-4]\b/;

/** Rules of the settings that a reasoning model has only with the effort `none`. */
export function checkSampling(body: Json, effort: unknown): void {
  if (!isReasoningModel(body.model)) return;
  const isOff = effort === 'none' || (!isGiven(effort) && restsByDefault.test(String(body.model)));
  if (!isOff && isGiven(body.temperature) && body.temperature !== 1) {
    const text = `does not support ${String(body.temperature)} with this model. Only the default (1) value is supported.`;
    refuse(`Unsupported value: 'temperature' ${text}`, 'temperature', 'unsupported_value');
  }
  const hasEffect = (name: string): boolean => isGiven(body[name]) && body[name] !== (name === 'top_p' ? 1 : 0);
  const sampling = ['top_p', 'presence_penalty', 'frequency_penalty'].find((name) => !isOff && hasEffect(name));
  const fixed = ['logprobs', 'top_logprobs'].find((name) => !isOff && isGiven(body[name]) && body[name] !== false);
  const stop = isGiven(body.stop) ? 'stop' : undefined;
  const name = sampling ?? fixed ?? stop;
  if (name) refuse(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter');
}

/** The word must be in the conversation, so that the model does not write white space without end. */
export function mentionsJson(messages: unknown): boolean {
  return listObjects(messages).some((message) => /json/i.test(JSON.stringify(message.content ?? '')));
}
