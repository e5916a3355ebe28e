import {
  checkChoice,
  checkFormat,
  checkFunctions,
  checkName,
  checkSampling,
  isOpenAiModel,
  isReasoningModel,
  mentionsJson,
  refuse,
  requireList,
} from './openai-tool-rules.js';
import { isGiven, isObject, type Json, listObjects, readImageType } from './vendor-refusal.js';

const MESSAGES_MAX = 100_000;
const STOPS_MAX = 4;

/**
 * OpenAI's rules of `POST /chat/completions`.
 *
 * Sources: developers.openai.com/api/reference/resources/chat, the guides function-calling, structured-outputs, reasoning and
 * latest-model, and the vendor's messages as users report them.
 */
export function checkChat(body: Json): void {
  checkMessages(body.messages);
  const functions = listObjects(body.tools).map((tool, place) => {
    const { name, parameters, strict } = (isObject(tool.function) ? tool.function : {}) as Json;
    return { at: `tools[${place}].function`, name, parameters, strict };
  });
  const own = functions.filter((_, place) => listObjects(body.tools)[place]?.type === 'function');
  checkFunctions(body.tools, own);
  const choice = body.tool_choice;
  const chosen = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  checkChoice(
    body,
    chosen,
    own.map(({ name }) => name),
  );
  checkBounds(body);
  checkSampling(body, body.reasoning_effort);
  checkReasoning(body);
  checkAnswerFormat(body);
  if (isGiven(body.stream_options) && body.stream !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
}

function checkBounds(body: Json): void {
  if (Array.isArray(body.stop)) requireList(body.stop, 'stop', STOPS_MAX);
  if (isOpenAiModel(body.model) && body.top_k !== undefined) {
    refuse("Unknown parameter: 'top_k'.", 'top_k', 'unknown_parameter');
  }
  if (isReasoningModel(body.model) && isGiven(body.max_tokens)) {
    const text = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    refuse(`Unsupported parameter: ${text}`, 'max_tokens', 'unsupported_parameter');
  }
  if (isGiven(body.max_tokens) && isGiven(body.max_completion_tokens)) {
    refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", 'max_tokens');
  }
}

function checkReasoning({ model, reasoning_effort: effort, tools }: Json): void {
  if (!isGiven(effort) || !isOpenAiModel(model)) return;
  if (!isReasoningModel(model)) refuse('Unrecognized request argument supplied: reasoning_effort');
  if (effort === 'none' || !/^gpt-(5\.[4-9]|6)/.test(String(model)) || listObjects(tools).length === 0) return;
  const text = `Function tools with reasoning_effort are not supported for ${String(model)} in /v1/chat/completions.`;
  refuse(`${text} To use function tools, use /v1/responses or set reasoning_effort to 'none'.`, 'reasoning_effort');
}

function checkAnswerFormat({ response_format: format, messages }: Json): void {
  if (!isObject(format)) return;
  if (format.type === 'json_object' && !mentionsJson(messages)) {
    const text =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    refuse(text, 'messages');
  }
  if (format.type !== 'json_schema') return;
  const { name, schema, strict } = (isObject(format.json_schema) ? format.json_schema : {}) as Json;
  checkFormat(name, schema, strict, 'response_format.json_schema');
}

function checkMessages(messages: unknown): void {
  requireList(messages, 'messages', MESSAGES_MAX);
  /** Calls whose results are due next. */
  let open = new Set<unknown>();
  for (const [place, message] of listObjects(messages).entries()) {
    const at = `messages[${place}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) {
        const text = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        refuse(`Invalid parameter: ${text}`, `messages.[${place}].role`);
      }
    } else {
      requireAnswered(open, place);
      open = new Set(checkCalls(message, at));
    }
    checkContent(message, at);
  }
  requireAnswered(open, listObjects(messages).length);
}

function requireAnswered(open: ReadonlySet<unknown>, place: number): void {
  if (open.size === 0) return;
  const text =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  const missing = `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
  refuse(`${text} ${missing}`, `messages.[${place}].role`);
}

/** Returns the ids of the calls. */
function checkCalls({ tool_calls: calls }: Json, at: string): unknown[] {
  if (calls === undefined) return [];
  requireList(calls, `${at}.tool_calls`, Number.MAX_SAFE_INTEGER);
  return listObjects(calls).map((call, place) => {
    const fn = (isObject(call.function) ? call.function : {}) as Json;
    checkName(fn.name, `${at}.tool_calls[${place}].function.name`);
    if (typeof fn.arguments !== 'string')
      refuse(`Missing required parameter: '${at}.tool_calls[${place}].function.arguments'.`);
    return call.id;
  });
}

function checkContent(message: Json, at: string): void {
  const { role, content } = message;
  const mayLack =
    role === 'assistant' && (message.tool_calls !== undefined || isGiven(message.refusal) || isGiven(message.audio));
  if (!isGiven(content)) {
    if (mayLack) return;
    refuse("Invalid value for 'content': expected a string, got null.", `${at.replace('[', '.[')}.content`);
  }
  if (typeof content === 'string') return;
  requireList(content, `${at}.content`, Number.MAX_SAFE_INTEGER);
  for (const part of listObjects(content)) if (part.type === 'image_url') checkImage(part);
}

function checkImage({ image_url: image }: Json): void {
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(String((image as Json | undefined)?.url));
  if (!match) return;
  if (!match[1]!.startsWith('image/'))
    refuse('Invalid MIME type. Only image types are supported.', null, 'invalid_image_format');
  if (readImageType(match[2]!) !== undefined) return;
  const text = "Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
  refuse(`You uploaded an unsupported image. ${text}`, null, 'invalid_image_format');
}
