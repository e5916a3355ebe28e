import {
  checkChoice,
  checkFormat,
  checkFunctions,
  checkName,
  checkSampling,
  isOpenAiModel,
  mentionsJson,
  refuse,
} from './openai-tool-rules.js';
import { isGiven, isObject, type Json, listObjects } from './vendor-refusal.js';

const OUTPUT_TOKENS_MIN = 16;

/**
 * OpenAI's rules of `POST /responses`.
 *
 * Sources: developers.openai.com/api/reference/resources/responses, the guides reasoning and conversation-state, and the vendor's
 * messages as users report them.
 */
export function checkResponses(body: Json): void {
  checkInput(body);
  const own = listObjects(body.tools).flatMap(({ type, name, parameters, strict }, place) =>
    type === 'function' ? [{ at: `tools[${place}]`, name, parameters, strict }] : [],
  );
  if (Array.isArray(body.tools) && body.tools.length > 0) checkFunctions(body.tools, own);
  const choice = body.tool_choice;
  const chosen = isObject(choice) && choice.type === 'function' ? choice.name : undefined;
  checkChoice(
    body,
    chosen,
    own.map(({ name }) => name),
  );
  checkSampling(body, (body.reasoning as Json | undefined)?.effort);
  const { max_output_tokens: bound } = body;
  if (isOpenAiModel(body.model) && typeof bound === 'number' && bound < OUTPUT_TOKENS_MIN) {
    const text = `Expected a value >= ${OUTPUT_TOKENS_MIN}, but got ${bound} instead.`;
    refuse(
      `Invalid 'max_output_tokens': integer below minimum value. ${text}`,
      'max_output_tokens',
      'integer_below_min_value',
    );
  }
  for (const name of ['stop', 'seed', 'top_k', 'frequency_penalty', 'presence_penalty']) {
    if (isGiven(body[name])) refuse(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  }
  checkAnswerFormat(body);
}

function checkAnswerFormat({ text, input, instructions }: Json): void {
  const format = isObject(text) ? text.format : undefined;
  if (!isObject(format)) return;
  if (format.type === 'json_schema') checkFormat(format.name, format.schema, format.strict, 'text.format');
  if (format.type !== 'json_object') return;
  const messages = [
    { content: instructions },
    ...(typeof input === 'string' ? [{ content: input }] : listObjects(input)),
  ];
  if (mentionsJson(messages)) return;
  refuse(
    "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
    'input',
  );
}

/** A call and its result may be apart, but each needs the other. */
function checkInput({ input, previous_response_id: previous, conversation }: Json): void {
  if (typeof input === 'string' || isGiven(previous) || isGiven(conversation)) return;
  const items = listObjects(input);
  if (items.length === 0) refuse('One of "input" or "previous_response_id" or \'prompt\' must be provided.');
  const calls = new Set<unknown>();
  const answered = new Set<unknown>();
  for (const [place, item] of items.entries()) {
    if (item.type === 'function_call') {
      checkName(item.name, `input[${place}].name`);
      calls.add(item.call_id);
    } else if (item.type === 'function_call_output') {
      answered.add(item.call_id);
      if (calls.has(item.call_id)) continue;
      refuse(`No tool call found for function call output with call_id ${String(item.call_id)}.`, 'input');
    } else if (item.type === undefined || item.type === 'message') {
      const at = `input[${place}].content`;
      if (!isGiven(item.content)) refuse(`Missing required parameter: '${at}'.`, at, 'missing_required_parameter');
    }
  }
  const lost = [...calls].find((id) => !answered.has(id));
  if (lost !== undefined) refuse(`No tool output found for function call ${String(lost)}.`, 'input');
}
