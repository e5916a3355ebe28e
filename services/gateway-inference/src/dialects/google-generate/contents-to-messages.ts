import {
  functionResponseText,
  type GoogleContent,
  type GoogleFunctionResponse,
  type GoogleGenerateBody,
  type GooglePart,
  googleSystemText,
  vendorKind,
} from '@tollgate/api/compatible';
import type { ContentPart, ToolCall } from '@tollgate/api/model-requests';
import { writeExactJson } from '@tollgate/runtime';
import type { ModelMessage, ModelPart } from '../../domain/model-request.js';
import { refused, vendorOnly } from '../refused.js';
import { joinTexts, textParts } from '../text-parts.js';

/** Parts that the vendor's own tools left in the conversation: another provider cannot use them. */
const vendorToolParts = new Set(['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']);

/** Converts the conversation. @throws AppError for parts that only the vendor supports */
export function toModelMessages({ contents, systemInstruction }: GoogleGenerateBody): ModelMessage[] {
  const system = googleSystemText(systemInstruction);
  const calls = new OpenCalls();
  return [
    ...(system === '' ? [] : [message('system', textParts(system))]),
    ...contents.flatMap((content) =>
      content.role === 'model' ? [modelMessage(content, calls)] : userMessages(content, calls),
    ),
  ];
}

/** Leaves out thoughts and their signatures: another provider cannot use them. */
function modelMessage({ parts }: GoogleContent, calls: OpenCalls): ModelMessage {
  const content: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of parts ?? []) {
    if (part.functionCall) toolCalls.push(calls.open(part.functionCall));
    else if (part.thought !== true) content.push(...toParts(part));
  }
  return { ...message('assistant', joinTexts(content)), toolCalls };
}

/** Puts results first, each in its own message, then everything else, with the results' files: not every provider accepts files as tool output. */
function userMessages({ parts }: GoogleContent, calls: OpenCalls): ModelMessage[] {
  const results: ModelMessage[] = [];
  const rest: ContentPart[] = [];
  let hasRest = false;
  for (const part of parts ?? []) {
    const { functionResponse: response } = part;
    if (response) {
      const result = message('tool', textParts(functionResponseText(response, writeExactJson)));
      results.push({ ...result, toolCallId: calls.answer(response) });
      const files = (response.parts ?? []).flatMap(({ inlineData }) => toFile(inlineData));
      rest.push(...files);
      hasRest ||= files.length > 0;
    } else {
      if (part.thought !== true) rest.push(...toParts(part));
      hasRest = true;
    }
  }
  return hasRest ? [...results, message('user', joinTexts(rest))] : results;
}

function toParts(part: GooglePart): ContentPart[] {
  if (part.functionCall) throw refused('contents', 'a functionCall belongs to the role model');
  if (part.functionResponse) throw refused('contents', 'a functionResponse belongs to the role user');
  const kind = vendorKind(part);
  if (kind !== undefined && !vendorToolParts.has(kind)) {
    throw vendorOnly('contents', `this model does not support parts of type ${kind}`);
  }
  return [...textParts(part.text ?? ''), ...toFile(part.inlineData)];
}

function toFile(blob: GooglePart['inlineData']): ContentPart[] {
  return blob ? [{ type: 'file', file: { data_base64: blob.data, mime_type: blob.mimeType.toLowerCase() } }] : [];
}

function message(role: ModelMessage['role'], content: readonly ModelPart[]): ModelMessage {
  return { role, content, toolCalls: [], toolCallId: undefined };
}

/** Calls without a result. This vendor matches calls and results without an id by name and order; others need the id. */
class OpenCalls {
  readonly #open: { id: string; name: string; hasId: boolean }[] = [];
  #count = 0;

  open({ id, name, args }: NonNullable<GooglePart['functionCall']>): ToolCall {
    const callId = id || `call_${++this.#count}`;
    this.#open.push({ id: callId, name, hasId: Boolean(id) });
    return { id: callId, type: 'function', function: { name, arguments: writeExactJson(args ?? {}) } };
  }

  /** Returns the id of the call that the result answers. @throws AppError if there is none */
  answer({ id, name }: GoogleFunctionResponse): string {
    const byId = this.#open.findIndex((call) => call.id === id && call.hasId);
    // A client may make up the id of a result whose call has none.
    const at = byId === -1 ? this.#open.findIndex((call) => call.name === name && !(id && call.hasId)) : byId;
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    if (call) return call.id;
    throw refused('contents', `functionResponse ${id || name} answers no functionCall of the conversation`);
  }
}
