import { findSchemaFault, type SchemaPath } from './schema-rules.js';
import { isObject, type Json, listObjects, VendorRefusal } from './vendor-refusal.js';

const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const NAME_RULE =
  'Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.';
const STOPS_MAX = 5;
const names = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Keywords of JSON Schema that the vendor reads; others are an error. */
const jsonKeywords = new Set([
  ...['$anchor', '$defs', '$id', '$ref', '$schema', 'additionalProperties', 'anyOf', 'description', 'enum', 'format'],
  ...['items', 'maxItems', 'maximum', 'minItems', 'minimum', 'nullable', 'oneOf', 'prefixItems', 'properties'],
  ...['propertyOrdering', 'required', 'title', 'type', 'default', 'const', 'pattern', 'minLength', 'maxLength'],
  ...['definitions', 'examples', 'example', 'uniqueItems', 'minProperties', 'maxProperties'],
]);
/** Members of the vendor's own form of a schema. */
const ownKeywords = new Set([
  ...[
    'anyOf',
    'default',
    'description',
    'enum',
    'example',
    'format',
    'items',
    'maxItems',
    'maxLength',
    'maxProperties',
  ],
  ...['maximum', 'minItems', 'minLength', 'minProperties', 'minimum', 'nullable', 'pattern', 'properties'],
  ...['propertyOrdering', 'required', 'title', 'type'],
]);

/**
 * Google's rules of `generateContent`.
 *
 * Sources: ai.google.dev/api/generate-content, /api/caching (Schema, FunctionDeclaration), /gemini-api/docs/function-calling,
 * /gemini-api/docs/structured-output, and the vendor's messages as users report them.
 */
export function checkGenerate(body: Json): void {
  checkContents(body.contents);
  const system = body.systemInstruction;
  if (isObject(system)) checkParts(system.parts, 'system_instruction');
  checkFunctions(body);
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const stops = Array.isArray(config.stopSequences) ? config.stopSequences.length : 0;
  if (stops > STOPS_MAX) {
    refuse(
      `* GenerateContentRequest.generation_config.stop_sequences: at most ${STOPS_MAX} stop sequences are allowed, but got ${stops}`,
    );
  }
  const at = 'generation_config.response_json_schema';
  if (isObject(config.responseJsonSchema)) checkJsonSchema(config.responseJsonSchema, at);
  if (isObject(config.responseSchema)) checkOwnSchema(config.responseSchema, 'generation_config.response_schema');
}

function refuse(message: string): never {
  throw new VendorRefusal(message);
}

function checkContents(contents: unknown): void {
  const turns = listObjects(contents);
  if (turns.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified\n');
  for (const [place, { role, parts }] of turns.entries()) {
    if (role !== undefined && role !== 'user' && role !== 'model') refuse('Please use a valid role: user, model.');
    checkParts(parts, `contents[${place}]`);
    const calls = listObjects(parts).filter(isCall);
    const before = listObjects(turns[place - 1]?.parts);
    if (calls.length > 0 && place === 0) {
      refuse(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    const results = listObjects(parts).filter(isResult);
    const callsBefore = before.filter(isCall);
    if (results.length > 0 && callsBefore.length === 0) {
      refuse('Please ensure that function response turn comes immediately after a function call turn.');
    }
    const isDue = callsBefore.length > 0 && results.length !== callsBefore.length;
    const isLast = calls.length > 0 && place === turns.length - 1;
    if (isDue || isLast) {
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
  }
}

function isCall({ functionCall }: Json): boolean {
  return functionCall !== undefined;
}

function isResult({ functionResponse }: Json): boolean {
  return functionResponse !== undefined;
}

function checkParts(parts: unknown, at: string): void {
  const list = listObjects(parts);
  if (list.length === 0) refuse(`* GenerateContentRequest.${at}.parts: contents.parts must not be empty.\n`);
  for (const [place, part] of list.entries()) {
    const members = Object.keys(part).filter(
      (name) => name !== 'thought' && name !== 'thoughtSignature' && name !== 'videoMetadata',
    );
    if (members.length === 0) {
      refuse(
        `* GenerateContentRequest.${at}.parts[${place}].data: required oneof field 'data' must have one initialized field\n`,
      );
    }
    for (const member of ['functionCall', 'functionResponse']) {
      const called = part[member];
      if (!isObject(called)) continue;
      if (typeof called.name !== 'string' || called.name === '') {
        const field = member === 'functionCall' ? 'function_call' : 'function_response';
        refuse(`* GenerateContentRequest.${at}.parts[${place}].${field}.name: Name cannot be empty.\n`);
      }
      const content = called.args ?? called.response;
      if (content !== undefined && !isObject(content)) {
        refuse(`Invalid value at '${at}.parts[${place}]' (type.googleapis.com/google.protobuf.Struct)`);
      }
    }
  }
}

function checkFunctions({ tools, toolConfig }: Json): void {
  const declared = new Set<unknown>();
  for (const [toolPlace, { functionDeclarations }] of listObjects(tools).entries()) {
    for (const [place, declaration] of listObjects(functionDeclarations).entries()) {
      const at = `tools[${toolPlace}].function_declarations[${place}]`;
      if (typeof declaration.name !== 'string' || !FUNCTION_NAME.test(declaration.name)) {
        refuse(`* GenerateContentRequest.${at}.name: Invalid function name. ${NAME_RULE}\n`);
      }
      if (declared.has(declaration.name)) refuse(`Duplicate function declaration found: ${declaration.name}`);
      declared.add(declaration.name);
      const json = declaration.parametersJsonSchema ?? declaration.parameters_json_schema;
      if (isObject(json)) {
        if (json.type !== 'object')
          refuse(`* GenerateContentRequest.${at}.parameters_json_schema: schema should be of type OBJECT\n`);
        checkJsonSchema(json, `${at}.parameters_json_schema`);
      }
      if (isObject(declaration.parameters)) checkOwnSchema(declaration.parameters, `${at}.parameters`);
    }
  }
  const calling = isObject(toolConfig) ? toolConfig.functionCallingConfig : undefined;
  if (!isObject(calling) || !Array.isArray(calling.allowedFunctionNames)) return;
  const unknown = calling.allowedFunctionNames.find((name) => !declared.has(name));
  if (unknown !== undefined) {
    refuse(
      '* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names: allowed_function_names should be a subset of the declared functions\n',
    );
  }
}

function checkJsonSchema(schema: Json, at: string): void {
  const fault = findSchemaFault(schema, (inner, path) => {
    const unknown = Object.keys(inner).find((keyword) => !jsonKeywords.has(keyword));
    if (unknown !== undefined) return `${toPlace(path)}: keyword "${unknown}" is not supported`;
    const types = Array.isArray(inner.type) ? inner.type : [inner.type];
    if (inner.type !== undefined && !types.every((type) => names.has(String(type))))
      return `${toPlace(path)}.type: unknown`;
    if (inner.properties !== undefined && !isObject(inner.properties))
      return `${toPlace(path)}.properties: must be an object`;
    return itemsFault(inner, path, 'array') ?? enumFault(inner, path);
  });
  if (fault !== undefined) refuse(`* GenerateContentRequest.${at}${fault}\n`);
}

/** Lists of schemas, and lists without one, are an error. */
function itemsFault({ type, items, prefixItems }: Json, path: SchemaPath, arrayName: string): string | undefined {
  if (items !== undefined && !isObject(items) && typeof items !== 'boolean')
    return `${toPlace(path)}.items: must be an object`;
  const isArray = type === arrayName || (Array.isArray(type) && type.includes(arrayName));
  return isArray && items === undefined && prefixItems === undefined
    ? `${toPlace(path)}.items: missing field.`
    : undefined;
}

function enumFault({ enum: literals }: Json, path: SchemaPath): string | undefined {
  if (literals === undefined) return undefined;
  const isTaken =
    Array.isArray(literals) && literals.every((each) => typeof each === 'string' || typeof each === 'number');
  return isTaken ? undefined : `${toPlace(path)}.enum: only allowed for STRING and NUMBER type`;
}

function checkOwnSchema(schema: Json, at: string): void {
  const fault = findSchemaFault(schema, (inner, path) => {
    const unknown = Object.keys(inner).find((keyword) => !ownKeywords.has(keyword));
    if (unknown !== undefined)
      return `Invalid JSON payload received. Unknown name "${unknown}" at '${at}${toPlace(path)}': Cannot find field.`;
    const fault = itemsFault({ ...inner, type: String(inner.type).toLowerCase() }, path, 'array');
    return fault && `* GenerateContentRequest.${at}${fault}\n`;
  });
  if (fault !== undefined) refuse(fault);
}

function toPlace(path: SchemaPath): string {
  return path.map((name) => `.${name}`).join('');
}
