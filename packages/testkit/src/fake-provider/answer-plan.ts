import { countSandboxInput, countSandboxTokens, splitSandboxTokens } from '@tollgate/catalog';
import type { Behavior } from './behavior.js';
import { createSample, type SampleSchema } from './sample-json.js';

/** A request of either wire format, reduced to what the answer depends on. */
export interface AnswerRequest {
  model: string;
  stream: boolean;
  /** The text of each message, and how many files it carries. */
  messages: readonly { role: string; text: string; files: number }[];
  tools: readonly { name: string; parameters?: SampleSchema }[];
  /** Name of the tool that must be called, or `required`. */
  toolChoice?: string;
  /** A JSON answer is requested; with a schema, an answer that conforms to it. */
  json?: { schema?: SampleSchema };
  maxOutputTokens?: number;
  stop: readonly string[];
  includeUsage: boolean;
  /** The vendor's own search tool is declared. */
  canSearch?: boolean;
  /** Thinking is requested. */
  canThink?: boolean;
  /** The request marks content for the cache. */
  canCache?: boolean;
}

/** A tool call of the answer, its arguments cut into tokens. */
export interface PlannedToolCall {
  id: string;
  name: string;
  pieces: readonly string[];
}

/** The whole answer, decided before anything is sent. */
export interface AnswerPlan {
  pieces: readonly string[];
  /** Precedes everything else; empty without thinking. */
  thinking: readonly string[];
  cached: { read: number; written: number };
  toolCalls: readonly PlannedToolCall[];
  finish: 'stop' | 'length' | 'tool_calls';
  /** The results of searches, one page each. */
  sources: readonly { url: string; title: string }[];
  /** Absent if the behavior omits it. */
  usage?: { inputTokens: number; outputTokens: number };
  inputTokens: number;
  outputTokens: number;
}

/** Decides the answer: equal requests get equal answers and equal usage. */
export function planAnswer(request: AnswerRequest, behavior: Behavior): AnswerPlan {
  const inputTokens = countInputTokens(request);
  const toolCalls = plannedToolCalls(request, behavior);
  const { pieces, finish } =
    toolCalls.length > 0 ? { pieces: [], finish: 'tool_calls' as const } : planText(request, behavior);
  const thinking = request.canThink ? splitSandboxTokens(behavior.thinking ?? '') : [];
  const outputTokens =
    thinking.length + pieces.length + toolCalls.reduce((total, call) => total + call.pieces.length, 0);
  return {
    pieces,
    thinking,
    cached: (request.canCache && behavior.cachedTokens) || { read: 0, written: 0 },
    toolCalls,
    finish,
    sources: request.canSearch ? planSources(behavior.searches ?? 0) : [],
    inputTokens,
    outputTokens,
    ...(behavior.omitUsage ? {} : { usage: { inputTokens, outputTokens } }),
  };
}

/** Input tokens of a request: the sandbox model's rule. */
export function countInputTokens(request: AnswerRequest): number {
  return countSandboxInput({
    messages: request.messages.map((message) => message.text),
    extras: request.tools.map((tool) => JSON.stringify(tool)),
    files: request.messages.flatMap(({ files }) => Array.from({ length: files }, () => ({ mimeType: '', bytes: 0 }))),
  });
}

function planSources(searches: number): AnswerPlan['sources'] {
  return Array.from({ length: searches }, (_, i) => ({ url: `https://example.org/${i + 1}`, title: `Page ${i + 1}` }));
}

function planText(request: AnswerRequest, behavior: Behavior): { pieces: string[]; finish: 'stop' | 'length' } {
  const whole = beforeStop(answerText(request, behavior), request.stop);
  const pieces = splitSandboxTokens(whole);
  const limit = request.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  return pieces.length > limit ? { pieces: pieces.slice(0, limit), finish: 'length' } : { pieces, finish: 'stop' };
}

function answerText(request: AnswerRequest, behavior: Behavior): string {
  if (behavior.tokens !== undefined) return textOfTokens(behavior.tokens);
  if (behavior.text !== undefined) return behavior.text;
  if (request.json) return JSON.stringify(createSample(request.json.schema));
  const last = request.messages.at(-1);
  if (last?.role === 'tool') return `The tool said: ${last.text}`;
  return `You said: ${lastUserText(request)}`;
}

/** The text that controls the fake. */
export function lastUserText(request: AnswerRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.text ?? '';
}

function textOfTokens(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => `w${String(index % 100).padStart(2, '0')} `).join('');
}

function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

function plannedToolCalls(request: AnswerRequest, behavior: Behavior): PlannedToolCall[] {
  const forced = forcedTool(request);
  // After a tool's result the fake answers with it, instead of calling the same tool forever.
  const isFollowUp = request.messages.at(-1)?.role === 'tool';
  const wanted = isFollowUp ? [] : (behavior.toolCalls ?? (forced ? [{ name: forced }] : []));
  return wanted.map(({ name, arguments: given }, index) => {
    const tool = request.tools.find((candidate) => candidate.name === name);
    const text = JSON.stringify(given ?? createSample(tool?.parameters));
    return {
      id: `call_${String(index + 1).padStart(2, '0')}_${countSandboxTokens(text)}`,
      name,
      pieces: splitSandboxTokens(text),
    };
  });
}

function forcedTool(request: AnswerRequest): string | undefined {
  return request.toolChoice === 'required' ? request.tools[0]?.name : request.toolChoice;
}
