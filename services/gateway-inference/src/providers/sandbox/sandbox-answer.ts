import { SANDBOX_BYTES_PER_TOKEN, splitSandboxTokens } from '@tollgate/catalog';
import type { StopReason } from '../../domain/model-answer.js';
import {
  asksForJson,
  type FunctionTool,
  type ModelMessage,
  type ModelRequest,
  messageText,
} from '../../domain/model-request.js';
import { createExample } from './schema-example.js';
import { readScript, type Script } from './script.js';

/** A whole answer before it is sent: `pieces` are its tokens, in order. */
export interface SandboxAnswer {
  script: Script;
  kind: 'text' | 'tool_call';
  /** Name of the called function; the pieces of a tool call are its arguments. */
  toolName: string;
  pieces: string[];
  stopReason: StopReason;
  stopSequence?: string;
}

const ECHO_CHARS_MAX = 400;
const words = ['lorem', 'ipsum', 'dolor', 'sit', 'amet', 'consectetur', 'adipiscing', 'elit', 'sed', 'do'];

/** Returns the answer to a request, always the same for the same request. */
export function sandboxAnswer(request: ModelRequest, maxOutputTokens: number): SandboxAnswer {
  const text = lastUserText(request);
  const script = readScript(text);
  const tool = toolToCall(request, script);
  if (tool) {
    const name = splitSandboxTokens(tool.name).length;
    const example = createExample(tool.parameters ?? { type: 'object' }, charactersMax(maxOutputTokens));
    const all = splitSandboxTokens(JSON.stringify(example.value));
    const pieces = all.slice(0, Math.max(0, maxOutputTokens - name));
    const stopReason = example.isCut || pieces.length < all.length ? 'max_tokens' : 'tool_use';
    return { script, kind: 'tool_call', toolName: tool.name, pieces, stopReason };
  }
  const { text: whole, isCut } = answerText(request, script, text, maxOutputTokens);
  const { kept, stopSequence } = untilStop(whole, request.stop);
  const all = splitSandboxTokens(kept);
  const pieces = all.slice(0, maxOutputTokens);
  if (pieces.length < all.length || (isCut && stopSequence === undefined))
    return { script, kind: 'text', toolName: '', pieces, stopReason: 'max_tokens' };
  const stopped = stopSequence === undefined ? {} : { stopSequence };
  return { script, kind: 'text', toolName: '', pieces, stopReason: 'stop', ...stopped };
}

function lastUserText(request: ModelRequest): string {
  const message = request.messages.findLast(({ role }) => role === 'user');
  return message ? messageText(message) : '';
}

interface AnswerText {
  text: string;
  /** The answer was ended before its whole text was built. */
  isCut: boolean;
}

function answerText(request: ModelRequest, script: Script, text: string, maxOutputTokens: number): AnswerText {
  const result = toolResults(request);
  if (request.outputFormat?.type === 'json_schema') {
    const example = createExample(request.outputFormat.json_schema!.schema, charactersMax(maxOutputTokens));
    return { text: JSON.stringify(example.value), isCut: example.isCut };
  }
  return { text: freeText(request, script, text, result), isCut: false };
}

function freeText(request: ModelRequest, script: Script, text: string, result: string | undefined): string {
  if (asksForJson(request)) return JSON.stringify({ echo: shorten(result ?? text) });
  if (result !== undefined) return result;
  if (script.words !== undefined) return manyWords(script.words);
  const files = request.messages.findLast(({ role }) => role === 'user')?.content.filter(({ type }) => type !== 'text');
  const attached = files && files.length > 0 ? ` [${files.length} file${files.length > 1 ? 's' : ''}]` : '';
  return `Echo: ${shorten(text)}${attached}`;
}

/** A JSON text of more characters than this has more tokens than the answer may have. */
function charactersMax(maxOutputTokens: number): number {
  return (maxOutputTokens + 1) * SANDBOX_BYTES_PER_TOKEN;
}

/** Returns the tools' results, if they are the last part of the conversation. */
function toolResults(request: ModelRequest): string | undefined {
  const lines: string[] = [];
  for (let i = request.messages.length - 1; request.messages[i]?.role === 'tool'; i--) {
    const message = request.messages[i]!;
    lines.unshift(`${nameOfCall(request.messages, message)} returned: ${shorten(messageText(message))}`);
  }
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function nameOfCall(messages: readonly ModelMessage[], result: ModelMessage): string {
  for (const { toolCalls } of messages) {
    for (const call of toolCalls) if (call.id === result.toolCallId) return call.function?.name ?? call.type;
  }
  return 'tool';
}

function toolToCall(request: ModelRequest, script: Script): FunctionTool | undefined {
  const { tools, toolChoice } = request;
  if (tools.length === 0 || toolChoice?.type === 'none' || request.messages.at(-1)?.role === 'tool') return undefined;
  const named = toolChoice?.function ?? script.tool;
  const found = named === undefined ? undefined : tools.find(({ name }) => underscored(name) === underscored(named));
  return found ?? (toolChoice?.type === 'required' ? tools[0] : undefined);
}

function underscored(name: string): string {
  return name.replaceAll('.', '_');
}

/** Cuts the answer before the first stop sequence. */
function untilStop(text: string, stop: readonly string[]): { kept: string; stopSequence: string | undefined } {
  let end = text.length;
  let stopSequence: string | undefined;
  for (const sequence of stop) {
    const at = text.indexOf(sequence);
    if (at === -1 || at >= end) continue;
    end = at;
    stopSequence = sequence;
  }
  return { kept: text.slice(0, end), stopSequence };
}

function manyWords(count: number): string {
  return Array.from({ length: count }, (_, i) => words[i % words.length]).join(' ');
}

/** Cuts between code points, so that no surrogate pair is split. */
function shorten(text: string): string {
  if (text.length <= ECHO_CHARS_MAX) return text;
  return `${[...text].slice(0, ECHO_CHARS_MAX).join('')}…`;
}
