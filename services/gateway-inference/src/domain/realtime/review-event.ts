import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';
import { toChild } from './json.js';

/** Events that clients may send. Others are refused: they may cause costs that no hold covers. */
const clientEvents = new Set([
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'output_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.retrieve',
  'conversation.item.truncate',
  'conversation.item.delete',
  'response.create',
  'response.cancel',
]);

const sessionFields = new Set([
  'type',
  'audio',
  'include',
  'instructions',
  'max_output_tokens',
  'model',
  'output_modalities',
  'parallel_tool_calls',
  'reasoning',
  'tool_choice',
  'tools',
  'tracing',
  'truncation',
]);
const inputFields = new Set(['format', 'noise_reduction', 'transcription', 'turn_detection']);
const transcriptionFields = new Set(['model', 'language', 'prompt']);
const detectionFields = new Set([
  'type',
  'create_response',
  'interrupt_response',
  'prefix_padding_ms',
  'silence_duration_ms',
  'threshold',
  'eagerness',
]);
const responseFields = new Set([
  'audio',
  'conversation',
  'input',
  'instructions',
  'max_output_tokens',
  'metadata',
  'output_modalities',
  'parallel_tool_calls',
  'reasoning',
  'tool_choice',
  'tools',
]);

/**
 * Checks that the event causes nothing that no hold covers: only fields of closed sets, no tools that the vendor runs, no
 * templates that are stored at the vendor, and no responses that it would start by itself.
 *
 * Source: RealtimeClientEvent in the `openai` client library 6.49.
 *
 * @throws AppError that names the field
 */
export function reviewEvent(event: JsonObject): void {
  const { type } = event;
  if (typeof type !== 'string' || !clientEvents.has(type)) throw unsupported('type', `unknown event ${show(type)}`);
  if (type === 'session.update') reviewSession(toChild(event, 'session'));
  if (type === 'response.create') reviewResponse(toChild(event, 'response'));
  if (type === 'conversation.item.create') reviewItem(toChild(event, 'item'), 'item.type');
}

function reviewSession(session: JsonObject): void {
  refuseOthers(session, sessionFields, 'session');
  if (session.type !== undefined && session.type !== 'realtime') {
    throw unsupported('session.type', 'only sessions of the type realtime are supported');
  }
  reviewTools(session.tools, 'session.tools');
  const input = toChild(toChild(session, 'audio'), 'input');
  refuseOthers(input, inputFields, 'session.audio.input');
  refuseOthers(toChild(input, 'transcription'), transcriptionFields, 'session.audio.input.transcription');
  refuseOthers(toChild(input, 'turn_detection'), detectionFields, 'session.audio.input.turn_detection');
}

function reviewResponse(response: JsonObject): void {
  refuseOthers(response, responseFields, 'response');
  reviewTools(response.tools, 'response.tools');
  for (const item of asList(response.input)) if (isJsonObject(item)) reviewItem(item, 'response.input');
}

function reviewItem({ type }: JsonObject, field: string): void {
  if (String(type).startsWith('mcp')) throw unsupported(field, `items of the type ${show(type)} are not supported`);
}

function reviewTools(tools: unknown, field: string): void {
  for (const tool of asList(tools)) {
    if (isJsonObject(tool) && tool.type === 'function') continue;
    throw unsupported(field, 'only tools of the type function are supported');
  }
}

/** A field that is null is not set. */
function refuseOthers(object: JsonObject, known: ReadonlySet<string>, path: string): void {
  for (const [name, value] of Object.entries(object)) {
    if (known.has(name) || value === null) continue;
    throw unsupported(`${path}.${name}`.slice(0, 200), 'this field is not supported');
  }
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 100);
}

function unsupported(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
