import { createHash } from 'node:crypto';
import type { ConnectionQuirks } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { filterObjects, isObject, type Json } from '../../convert/answer-reading.js';

/** How a server's chat completions deviate from OpenAI's, as far as the body of a request shows it. */
export type ChatQuirks = Pick<
  ConnectionQuirks,
  | 'has_tools'
  | 'json'
  | 'seed'
  | 'stream_usage'
  | 'temperature_max'
  | 'temperature_min'
  | 'token_bound'
  | 'tool_choice'
  | 'tool_id_chars'
>;

/**
 * Brings a chat body into the form that a server accepts: the names and bounds of its parameters, and JSON by a schema as far as it has
 * it.
 *
 * @throws AppError for tools, or a choice of tools, that the server does not have
 */
export function fitChatBody(body: Json, quirks: ChatQuirks): Json {
  const fitted = { ...body };
  fitTools(fitted, quirks);
  fitFormat(fitted, quirks);
  if (quirks.token_bound) renameBound(fitted, quirks.token_bound);
  if (quirks.seed && fitted.seed !== undefined) {
    fitted[quirks.seed] = fitted.seed;
    delete fitted.seed;
  }
  // The server counts each stream, and refuses to be asked.
  if (quirks.stream_usage === 'always') delete fitted.stream_options;
  const { temperature_min: least = 0, temperature_max: most = Number.POSITIVE_INFINITY } = quirks;
  if (typeof fitted.temperature === 'number') fitted.temperature = Math.max(least, Math.min(fitted.temperature, most));
  if (quirks.tool_id_chars !== undefined) fitted.messages = fitToolIds(fitted.messages, quirks.tool_id_chars);
  return fitted;
}

function renameBound(body: Json, name: NonNullable<ChatQuirks['token_bound']>): void {
  const bound = body.max_completion_tokens ?? body.max_tokens;
  delete body.max_completion_tokens;
  delete body.max_tokens;
  if (bound !== undefined) body[name] = bound;
}

function fitTools(body: Json, { has_tools: hasTools, tool_choice: choices }: ChatQuirks): void {
  if (filterObjects(body.tools).length === 0) return;
  if (hasTools === false) throw refused('tools', 'this model has no tools');
  const { tool_choice: choice } = body;
  if (!choices || choice === undefined || choice === null) return;
  const kind = isObject(choice) ? 'named' : String(choice);
  if ((choices as readonly string[]).includes(kind)) return;
  if (kind !== 'none')
    throw refused('tool_choice', 'this model cannot be forced to call a tool: tool_choice must be auto or none');
  delete body.tools;
  delete body.tool_choice;
  delete body.parallel_tool_calls;
}

/** Asks a server without schemas for JSON by an instruction that has the schema. */
function fitFormat(body: Json, { json }: ChatQuirks): void {
  const { response_format: format } = body;
  if (json !== 'object' || !isObject(format) || format.type !== 'json_schema') return;
  const schema = isObject(format.json_schema) ? format.json_schema.schema : undefined;
  const content = `Answer with one JSON value that matches this JSON Schema, and nothing else: ${JSON.stringify(schema ?? {})}`;
  body.response_format = { type: 'json_object' };
  body.messages = [{ role: 'system', content }, ...filterObjects(body.messages)];
}

/** Shortens the ids of calls, alike in calls and results, to as many letters and digits as the server accepts. */
function fitToolIds(messages: unknown, chars: number): unknown {
  const accepted = new RegExp(`^[a-zA-Z0-9]{${chars}}$`);
  const toId = (id: unknown): string => {
    const text = String(id);
    return accepted.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, chars);
  };
  return filterObjects(messages).map((message) => ({
    ...message,
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: toId(message.tool_call_id) }),
    ...(Array.isArray(message.tool_calls)
      ? { tool_calls: filterObjects(message.tool_calls).map((call) => ({ ...call, id: toId(call.id) })) }
      : {}),
  }));
}

function refused(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}
