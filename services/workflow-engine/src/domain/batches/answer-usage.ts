import { isJsonObject } from '../values/json.js';

export interface AnswerUsage {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
}

export const NO_USAGE: AnswerUsage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** Reads the usage of an answer in either of OpenAI's spellings. */
export function readAnswerUsage(answer: string): AnswerUsage {
  const { usage } = JSON.parse(answer) as { usage?: unknown };
  if (!isJsonObject(usage)) return NO_USAGE;
  const input = usage.input_tokens_details ?? usage.prompt_tokens_details;
  const output = usage.output_tokens_details ?? usage.completion_tokens_details;
  return {
    inputTokens: toCount(usage.input_tokens ?? usage.prompt_tokens),
    cachedTokens: isJsonObject(input) ? toCount(input.cached_tokens) : 0,
    outputTokens: toCount(usage.output_tokens ?? usage.completion_tokens),
    reasoningTokens: isJsonObject(output) ? toCount(output.reasoning_tokens) : 0,
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
