import { describe, expect, it } from '@jest/globals';
import { idempotencyKey } from './idempotency-key.js';
import { hookRequestBody, type ToolCall } from './tool-hooks/tool-call.js';

const ids = { projectId: 'p', executionId: 'e', toolCallId: 'c' };
const call: ToolCall = {
  ...ids,
  hookType: 'pre_tool_use',
  endUserId: undefined,
  requestId: 'r',
  toolName: 't',
  argumentsJson: '{}',
  resultJson: undefined,
};
const readKey = (of: ToolCall) => JSON.parse(hookRequestBody(of, '1').toString()).idempotency_key;

describe('the idempotency key of a tool call', () => {
  it('stays the same for every try and phase, and is in the bodies of hooks', () => {
    expect(readKey(call)).toBe(idempotencyKey(ids));
    const others = {
      toolCallId: 'c.2',
      callId: 'c',
      hookType: 'post_tool_use',
      argumentsJson: '{"a":1}',
      resultJson: '1',
    } as const;
    expect(readKey({ ...call, ...others })).toBe(idempotencyKey(ids));
  });

  it('differs between calls, steps and projects', () => {
    const keys = [ids, { ...ids, toolCallId: 'd' }, { ...ids, executionId: 'd' }, { ...ids, projectId: 'd' }].map(
      idempotencyKey,
    );
    expect(new Set(keys).size).toBe(4);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
