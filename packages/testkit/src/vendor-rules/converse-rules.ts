import { findSchemaFault, metaschema } from './schema-rules.js';
import { isObject, type Json, listObjects, readImageType, VendorRefusal } from './vendor-refusal.js';

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$|^_[a-zA-Z0-9_-]{0,63}$/;
const TOOL_USE_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const DOCUMENT_NAME = /^(?!.*\s\s)[a-zA-Z0-9\s()[\]-]{1,200}$/;
const STOPS_MAX = 2_500;
const members = new Set([
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'inferenceConfig',
  'messages',
  'outputConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
  'serviceTier',
  'system',
  'toolConfig',
]);

/**
 * Bedrock's rules of Converse and ConverseStream.
 *
 * Sources: docs.aws.amazon.com/bedrock/latest/APIReference (Converse, Message, ContentBlock, ToolResultBlock, DocumentBlock,
 * InferenceConfiguration) and ConverseRequest of `@aws-sdk/client-bedrock-runtime` 3.1164, read 2026-11-30.
 */
export function checkConverse(body: Json): void {
  const unknown = Object.keys(body).find((name) => !members.has(name));
  if (unknown !== undefined) refuse(`1 validation error detected: unknown member ${unknown}`);
  checkInference(body.inferenceConfig);
  for (const { text } of listObjects(body.system)) {
    if (text !== undefined && String(text).trim() === '') refuse('The text field in the system block is blank.');
  }
  checkMessages(body);
  checkTools(body.toolConfig);
  checkOutput(body.outputConfig);
}

function refuse(message: string): never {
  throw new VendorRefusal(message);
}

function checkInference(config: unknown): void {
  if (!isObject(config)) return;
  const { maxTokens, temperature, topP, stopSequences } = config;
  if (maxTokens !== undefined && !(Number(maxTokens) >= 1)) refuse('maxTokens: must be greater than or equal to 1');
  for (const [name, value] of Object.entries({ temperature, topP })) {
    if (value !== undefined && !(Number(value) >= 0 && Number(value) <= 1)) {
      refuse(
        `Value '${String(value)}' at 'inferenceConfig.${name}' failed to satisfy constraint: less than or equal to 1`,
      );
    }
  }
  if (!Array.isArray(stopSequences)) return;
  if (stopSequences.length > STOPS_MAX || stopSequences.includes('')) refuse('inferenceConfig.stopSequences: invalid');
}

function checkMessages({ messages, toolConfig }: Json): void {
  const list = listObjects(messages);
  if (list.length === 0) refuse('A conversation must start with a user message.');
  let waiting: string[] = [];
  for (const [place, { role, content }] of list.entries()) {
    if (role !== (place % 2 === 0 ? 'user' : 'assistant')) {
      refuse('A conversation must alternate between user and assistant roles, and must start with a user message.');
    }
    const blocks = listObjects(content);
    if (blocks.length === 0) refuse(`The content field in the Message object at messages.${place} is empty.`);
    for (const block of blocks) checkBlock(block, role === 'user', `messages.${place}`);
    waiting = checkCalls(blocks, waiting, `messages.${place}`);
  }
  if (waiting.length > 0) refuse('Expected toolResult blocks for the toolUse blocks of the last turn.');
  if (list.at(-1)?.role !== 'user') refuse('The model does not support assistant message prefill.');
  const usesTools = list.some((message) => listObjects(message.content).some(({ toolUse }) => toolUse !== undefined));
  if (usesTools && !isObject(toolConfig)) {
    refuse('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
}

function checkBlock(block: Json, isUser: boolean, at: string): void {
  const { text, image, document, toolUse } = block;
  if (typeof text === 'string' && text.trim() === '')
    refuse(`The text field in the ContentBlock object at ${at} is blank.`);
  if (!isUser && (image ?? document) !== undefined)
    refuse('You can only include images and documents if the role is user.');
  if (isUser && toolUse !== undefined) refuse('The role user cannot contain toolUse blocks.');
  if (isObject(image)) {
    const bytes = isObject(image.source) ? String(image.source.bytes ?? '') : '';
    if (readImageType(bytes) !== `image/${String(image.format)}`) refuse('Could not process image');
  }
  if (isObject(document) && !DOCUMENT_NAME.test(String(document.name))) {
    refuse(
      'The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets.',
    );
  }
}

/** Each call needs its result in the next turn, and each result a call in the turn before. Returns the calls of the turn. */
function checkCalls(blocks: readonly Json[], waiting: readonly string[], at: string): string[] {
  const results = blocks.flatMap(({ toolResult }) => (isObject(toolResult) ? [toolResult] : []));
  const ids = results.map(({ toolUseId }) => String(toolUseId));
  const stray = ids.find((id) => !waiting.includes(id));
  if (stray !== undefined)
    refuse(`The number of toolResult blocks at ${at}.content exceeds the number of toolUse blocks of previous turn.`);
  if (waiting.some((id) => !ids.includes(id)))
    refuse(`Expected toolResult blocks at ${at}.content for the following Ids: ${waiting.join()}`);
  for (const { content } of results) {
    for (const { text } of listObjects(content)) if (text === '') refuse('The text field of a toolResult is blank.');
    if (listObjects(content).length === 0) refuse('The content of a toolResult is empty.');
  }
  const calls = blocks.flatMap(({ toolUse }) => (isObject(toolUse) ? [toolUse] : []));
  for (const { toolUseId, name, input } of calls) {
    if (!TOOL_USE_ID.test(String(toolUseId))) refuse(`toolUseId ${String(toolUseId)} failed to satisfy constraint`);
    if (!NAME.test(String(name))) refuse(`toolUse.name ${String(name)} failed to satisfy constraint`);
    if (!isObject(input)) refuse('The format of the value at toolUse.input is invalid. Provide a json object.');
  }
  return calls.map(({ toolUseId }) => String(toolUseId));
}

function checkTools(config: unknown): void {
  if (!isObject(config)) return;
  const specs = listObjects(config.tools).map(({ toolSpec }) => (isObject(toolSpec) ? toolSpec : {}));
  if (specs.length === 0) refuse('toolConfig.tools: must have length greater than or equal to 1');
  const names = specs.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse('The tool names must be unique.');
  for (const { name, description, inputSchema } of specs) {
    if (!NAME.test(String(name))) refuse(`toolSpec.name ${String(name)} failed to satisfy constraint`);
    if (description === '') refuse('toolSpec.description: must have length greater than or equal to 1');
    const json = isObject(inputSchema) ? inputSchema.json : undefined;
    if (!isObject(json) || json.type !== 'object')
      refuse('inputSchema.json.type must be one of the following: object.');
    if (findSchemaFault(json, metaschema) !== undefined) refuse('inputSchema.json is invalid.');
  }
  const { toolChoice } = config;
  if (!isObject(toolChoice)) return;
  if (Object.keys(toolChoice).length !== 1) refuse('toolChoice: exactly one member must be set');
  const { tool } = toolChoice;
  if (isObject(tool) && !names.includes(tool.name)) refuse(`toolChoice names an unknown tool ${String(tool.name)}`);
}

function checkOutput(config: unknown): void {
  const format = isObject(config) && isObject(config.textFormat) ? config.textFormat : undefined;
  if (!format) return;
  const structure = isObject(format.structure) ? format.structure.jsonSchema : undefined;
  const text = isObject(structure) ? structure.schema : undefined;
  if (typeof text !== 'string') refuse('outputConfig.textFormat.structure.jsonSchema.schema: must be a string');
  const fault = findSchemaFault(JSON.parse(text) as Json, (schema) =>
    (schema.type === 'object' || isObject(schema.properties)) && schema.additionalProperties !== false
      ? "For 'object' type, 'additionalProperties' must be explicitly set to false"
      : undefined,
  );
  if (fault !== undefined) refuse(`outputConfig.textFormat: ${fault}`);
}
