import { isJsonObject } from '../values/json.js';
import { toBatchRequestId } from './batch-ids.js';

/** The result of one line, as the store has it. */
export interface LineResult {
  line: number;
  customId: string;
  /** Null for a line that was not run. */
  statusCode: number | null;
  /** JSON of the endpoint's answer. */
  answer: string | null;
  requestId: string;
}

/** Whether the line belongs to the output file; the others are in the error file. */
export function isSuccess({ statusCode }: Pick<LineResult, 'statusCode'>): boolean {
  return statusCode !== null && statusCode < 300;
}

/** Returns one line of an output or error file, in the vendor's shape. A line that was not run was too late. */
export function toAnswerLine(batchId: string, result: LineResult): string {
  const { customId, statusCode, answer, requestId } = result;
  const head = `{"id":${JSON.stringify(toBatchRequestId(batchId, result.line))},"custom_id":${JSON.stringify(customId)}`;
  if (statusCode === null || answer === null) return `${head},"response":null,"error":${JSON.stringify(EXPIRED)}}\n`;
  const response = `{"status_code":${statusCode},"request_id":${JSON.stringify(requestId)},"body":${toOneLine(answer)}}`;
  return `${head},"response":${response},"error":null}\n`;
}

const EXPIRED = {
  code: 'batch_expired',
  message: 'This request could not be executed before the completion window expired.',
};

/** JSON contains line breaks only between its tokens. */
function toOneLine(json: string): string {
  return /[\r\n]/.test(json) ? JSON.stringify(JSON.parse(json)) : json;
}

interface AnswerUsage {
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
