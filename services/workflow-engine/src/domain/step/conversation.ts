import type { InputMessage, ResponseResource, ResponsesBody } from '@tollgate/api/model-requests';
import type { ToolResult } from '../tools/tool-calls.js';

/** One finished round of a conversation with tools. */
export interface Round {
  answer: ResponseResource;
  results: readonly ToolResult[];
}

/** Returns the request of the next round: the conversation so far with the model's calls and their results. */
export function continueConversation(request: ResponsesBody, rounds: readonly Round[]): ResponsesBody {
  if (rounds.length === 0) return request;
  const input = [...request.input, ...rounds.flatMap(roundMessages)];
  // A forced tool call applies to the first round only; otherwise the conversation would never end.
  const { tool_choice: choice, ...rest } = request;
  return { ...rest, input, ...(choice && choice.type !== 'required' && { tool_choice: choice }) };
}

function roundMessages({ answer, results }: Round): InputMessage[] {
  const spoken = answer.output.map((message): InputMessage => {
    const { type, role, content, tool_calls } = message;
    return { type, role, content, ...(tool_calls && { tool_calls }) };
  });
  const answered = results.map(
    (result): InputMessage => ({
      type: 'message',
      role: 'tool',
      tool_call_id: result.tool_call_id,
      content: [{ type: 'text', text: readable(result.output) }],
    }),
  );
  return [...spoken, ...answered];
}

/** Returns a tool's result as the model reads it, as in a direct request: strings as text, everything else as JSON. */
function readable(output: string): string {
  if (!output.startsWith('"')) return output;
  try {
    const text: unknown = JSON.parse(output);
    return typeof text === 'string' ? text : output;
  } catch {
    return output;
  }
}
