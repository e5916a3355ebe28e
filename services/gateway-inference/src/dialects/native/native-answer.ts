import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnFacts } from '../../domain/turn-facts.js';
import { nativeUsage } from '../../domain/usage.js';

/** The Response resource as JSON. */
export function nativeAnswer(facts: TurnFacts, answer: ModelAnswer, usage: TokenUsage): string {
  const message: Record<string, unknown> = {
    type: 'message',
    role: 'assistant',
    content: answer.text === '' ? [] : [{ type: 'text', text: answer.text }],
  };
  if (answer.toolCalls.length > 0) message.tool_calls = answer.toolCalls.map(nativeToolCall);
  return JSON.stringify({
    id: answer.responseId || `resp_${facts.requestId}`,
    output: [message],
    model: facts.model,
    provider: facts.provider,
    stop_reason: answer.stopReason,
    usage: nativeUsage(usage),
  });
}

export function nativeToolCall(call: AnswerToolCall): Record<string, unknown> {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
