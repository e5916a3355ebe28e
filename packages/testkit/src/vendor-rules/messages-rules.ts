import { checkTurns } from './messages-turn-rules.js';
import { findSchemaFault, metaschema } from './schema-rules.js';
import { isGiven, isObject, type Json, listObjects, VendorRefusal } from './vendor-refusal.js';

const TOOL_NAME = '^[a-zA-Z0-9_-]{1,128}$';
const PROPERTY_KEY = '^[a-zA-Z0-9_.-]{1,64}$';
const THINKING_TOKENS_MIN = 1_024;
const CACHE_MARKS_MAX = 4;

/** Models without temperature, `top_p` and `top_k`; of those before, the last ones do not accept two of them. */
const withoutSampling = /^claude-(opus-5|sonnet-5|haiku-5|fable|mythos|opus-4-[78])/;
const withOneSampling = /^claude-(opus|sonnet|haiku)-4-[56]/;
const withoutForcedTools = /^claude-(opus-5-5|sonnet-5-5|fable|mythos)/;
/** Models that think by a budget; of the later ones, a level of effort takes its place. */
const withBudget = /^claude-((opus|sonnet|haiku)-4(-[0-6])?(-\d{8})?$|3-7)/;
const claude = /^claude-/;

/**
 * Anthropic's rules of `POST /v1/messages`.
 *
 * Sources: platform.claude.com/docs (api/messages, tool use, extended thinking, adaptive thinking, effort, structured outputs,
 * migration guides) and the vendor's messages as users report them.
 */
export function checkMessages(body: Json): void {
  if (typeof body.max_tokens !== 'number') refuse('max_tokens: Field required');
  if (body.max_tokens < 1) refuse('max_tokens: Input should be greater than or equal to 1');
  checkSystem(body.system);
  checkTurns(body);
  checkTools(body.tools);
  checkChoice(body);
  checkThinking(body);
  checkSampling(body);
  for (const stop of Array.isArray(body.stop_sequences) ? body.stop_sequences : []) {
    if (String(stop).trim() === '') refuse('stop_sequences: each stop sequence must contain non-whitespace');
  }
  checkFormat(body.output_config);
  const marks = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0;
  if (marks > CACHE_MARKS_MAX) {
    refuse(`A maximum of ${CACHE_MARKS_MAX} blocks with cache_control may be provided. Found ${marks}.`);
  }
}

function refuse(message: string): never {
  throw new VendorRefusal(message);
}

function checkSystem(system: unknown): void {
  if (typeof system === 'string' || system === undefined) return;
  for (const { text } of listObjects(system)) if (text === '') refuse('system: text content blocks must be non-empty');
}

function checkTools(tools: unknown): void {
  const names = new Set<unknown>();
  for (const [place, tool] of listObjects(tools).entries()) {
    if (names.has(tool.name)) refuse('tools: Tool names must be unique.');
    names.add(tool.name);
    if (tool.type === undefined || tool.type === 'custom') checkCustomTool(tool, `tools.${place}.custom`);
  }
}

function checkCustomTool({ name, input_schema: schema, description }: Json, at: string): void {
  if (typeof name !== 'string') refuse(`${at}.name: Field required`);
  if (!new RegExp(TOOL_NAME).test(name)) refuse(`${at}.name: String should match pattern '${TOOL_NAME}'`);
  if (description !== undefined && typeof description !== 'string')
    refuse(`${at}.description: Input should be a valid string`);
  if (!isObject(schema)) refuse(`${at}.input_schema: Field required`);
  if (schema.type === undefined) refuse(`${at}.input_schema.type: Field required`);
  if (schema.type !== 'object') refuse(`${at}.input_schema.type: Input should be 'object'`);
  if (['oneOf', 'allOf', 'anyOf'].some((keyword) => schema[keyword] !== undefined)) {
    refuse(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  }
  if (findSchemaFault(schema, metaschema) !== undefined) {
    refuse(`${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`);
  }
  const badKey = findSchemaFault(schema, ({ properties }) =>
    Object.keys(isObject(properties) ? properties : {}).find((key) => !new RegExp(PROPERTY_KEY).test(key)),
  );
  if (badKey !== undefined)
    refuse(`${at}.input_schema.properties: Property keys should match pattern '${PROPERTY_KEY}'`);
}

function checkChoice({ model, tools, tool_choice: choice }: Json): void {
  if (!isObject(choice)) return;
  const declared = listObjects(tools);
  if (declared.length === 0) refuse('tool_choice may only be specified while providing tools.');
  const isForced = choice.type === 'any' || choice.type === 'tool';
  if (isForced && withoutForcedTools.test(String(model))) {
    refuse(`tool_choice: type "${String(choice.type)}" is not supported for this model. Use "auto" or "none".`);
  }
  if (choice.type === 'tool' && !declared.some(({ name }) => name === choice.name)) {
    refuse(`Tool '${String(choice.name)}' not found in provided tools`);
  }
}

function checkThinking({ model, thinking, max_tokens: bound, tool_choice: choice }: Json): void {
  if (!isObject(thinking) || thinking.type !== 'enabled') return;
  if (claude.test(String(model)) && !withBudget.test(String(model))) {
    refuse(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort".',
    );
  }
  const budget = Number(thinking.budget_tokens);
  if (!(budget >= THINKING_TOKENS_MIN)) {
    refuse(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${THINKING_TOKENS_MIN}`);
  }
  if (Number(bound) <= budget) refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  if (isObject(choice) && (choice.type === 'any' || choice.type === 'tool')) {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

function checkSampling(body: Json): void {
  const { model, thinking, temperature, top_p: topP, top_k: topK } = body;
  const name = ['temperature', 'top_p', 'top_k'].find((each) => isGiven(body[each]));
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1)) refuse('temperature: range: 0..1');
  if (name && withoutSampling.test(String(model))) refuse(`\`${name}\` is not supported for this model.`);
  if (isGiven(temperature) && isGiven(topP) && withOneSampling.test(String(model))) {
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
  }
  if (!isObject(thinking) || (thinking.type !== 'enabled' && thinking.type !== 'adaptive')) return;
  if (isGiven(temperature) && temperature !== 1) refuse('`temperature` may only be set to 1 when thinking is enabled.');
  if (isGiven(topK)) refuse('`top_k` must be unset when thinking is enabled.');
  if (typeof topP === 'number' && topP < 0.95) {
    refuse('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.');
  }
}

function checkFormat(config: unknown): void {
  const format = isObject(config) ? config.format : undefined;
  if (!isObject(format)) return;
  const at = 'output_config.format.schema';
  if (!isObject(format.schema)) refuse(`${at}: Field required`);
  const fault = findSchemaFault(format.schema, (schema, path) => {
    if (metaschema(schema, path) !== undefined) return 'JSON schema is invalid.';
    const isAnObject = schema.type === 'object' || isObject(schema.properties);
    if (isAnObject && schema.additionalProperties !== false) {
      return "For 'object' type, 'additionalProperties' must be explicitly set to false";
    }
    const names = ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'multipleOf', 'pattern', 'oneOf', 'not'];
    const unsupported = names.find((keyword) => schema[keyword] !== undefined);
    return unsupported && `property '${unsupported}' is not supported`;
  });
  if (fault !== undefined) refuse(`${at}: ${fault}`);
}
