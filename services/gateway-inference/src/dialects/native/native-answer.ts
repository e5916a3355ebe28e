import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { type ToolResult, textForModel } from '../../domain/turn-tools.js';
import { nativeUsage } from '../../domain/usage.js';
import { toolCallType } from './native-tools.js';

/** Returns the Response resource as JSON. */
export function nativeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const { citations, toolResults = [] } = answer;
  return JSON.stringify({
    id: answer.responseId || `resp_${info.requestId}`,
    output: toOutput(answer, toolResults),
    model: info.model,
    provider: info.provider,
    stop_reason: answer.stopReason,
    usage: nativeUsage(usage),
    ...(citations && citations.length > 0 ? { citations } : {}),
    ...(toolResults.length > 0 ? { tool_results: toolResults.map(nativeToolResult) } : {}),
  });
}

export function nativeToolCall({ id, name, arguments: args }: AnswerToolCall): Record<string, unknown> {
  return { id, type: toolCallType(name), function: { name, arguments: args } };
}

export function nativeToolResult({ toolCallId, name, output }: ToolResult): Record<string, unknown> {
  return { tool_call_id: toolCallId, name, output };
}

/**
 * Returns the assistant's message. If it calls tools of the client and of the service at once, the results of the service's
 * tools follow it, so that the client can append its own results to `output` and continue.
 */
function toOutput({ text, earlierTexts = [], toolCalls }: ModelAnswer, results: readonly ToolResult[]): object[] {
  const texts = text === '' ? earlierTexts : [...earlierTexts, text];
  const message: Record<string, unknown> = {
    type: 'message',
    role: 'assistant',
    content: texts.map((part) => ({ type: 'text', text: part })),
  };
  if (toolCalls.length === 0) return [message];
  message.tool_calls = toolCalls.map(nativeToolCall);
  const called = new Set(toolCalls.map(({ id }) => id));
  return [message, ...results.filter(({ toolCallId }) => called.has(toolCallId)).map(resultMessage)];
}

function resultMessage(result: ToolResult): object {
  const text = textForModel(result);
  return { type: 'message', role: 'tool', tool_call_id: result.toolCallId, content: [{ type: 'text', text }] };
}
