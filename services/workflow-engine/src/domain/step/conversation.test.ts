import { describe, expect, it } from '@jest/globals';
import type { ResponseResource, ResponsesBody } from '@tollgate/api/model-requests';
import { continueConversation } from './conversation.js';

const request: ResponsesBody = {
  model: 'm',
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'weather?' }] }],
  tools: [{ type: 'function', function: { name: 'weather' } }],
  tool_choice: { type: 'required' },
};
const call = { id: 't1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
const answer: ResponseResource = {
  id: 'r',
  output: [{ type: 'message', role: 'assistant', content: [], tool_calls: [call] }],
  model: 'm',
  provider: 'p',
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
const results = [{ tool_call_id: 't1', name: 'weather', output: '"sunny"' }];

describe('continueConversation', () => {
  it('returns the request itself for the first round', () => {
    expect(continueConversation(request, [])).toBe(request);
  });

  it("adds each round's calls and results in order, without forcing a tool again", () => {
    const next = continueConversation(request, [{ answer, results }]);
    expect(next.input).toEqual([
      request.input[0],
      { type: 'message', role: 'assistant', content: [], tool_calls: [call] },
      { type: 'message', role: 'tool', tool_call_id: 't1', content: [{ type: 'text', text: 'sunny' }] },
    ]);
    expect(next.tool_choice).toBeUndefined();
    expect(next.tools).toBe(request.tools);
    expect(
      continueConversation({ ...request, tool_choice: { type: 'auto' } }, [{ answer, results }]).tool_choice,
    ).toEqual({
      type: 'auto',
    });
  });
});
