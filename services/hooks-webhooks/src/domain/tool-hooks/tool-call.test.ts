import { describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { signHookRequest } from '../webhooks/signature.js';
import { hookRequestBody, questionKey, type ToolCall } from './tool-call.js';

const timestamp = '2026-01-02T03:04:05.678Z';
const call: ToolCall = {
  hookType: 'pre_tool_use',
  projectId: 'p',
  endUserId: 'customer "7"',
  requestId: 'r',
  executionId: 'x',
  toolCallId: 'call_1',
  toolName: 'search',
  argumentsJson: '{"q":"Grüße","big":12345678901234567890}',
  resultJson: undefined,
};
const toBody = (given: Partial<ToolCall> = {}) => hookRequestBody({ ...call, ...given }, timestamp).toString();

describe('the body of a hook request', () => {
  it("contains exactly the specification's fields", () => {
    expect(JSON.parse(toBody({ argumentsJson: '{"q":1}' }))).toEqual({
      hook: 'pre_tool_use',
      request_id: 'r',
      idempotency_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      project_id: 'p',
      end_user_id: 'customer "7"',
      tool_call: { id: 'call_1', name: 'search', arguments: { q: 1 } },
      timestamp,
    });
  });

  it('adds the result in post_tool_use, and omits an absent customer', () => {
    const body = JSON.parse(toBody({ hookType: 'post_tool_use', endUserId: undefined, resultJson: '{"ok":true}' }));
    expect(body.tool_result).toEqual({ ok: true });
    expect(body).not.toHaveProperty('end_user_id');
  });

  it('keeps large numbers of the model exact', () => {
    expect(toBody()).toContain('"arguments":{"q":"Grüße","big":12345678901234567890}');
  });

  it('passes an independent verifier together with the timestamp', async () => {
    const body = hookRequestBody(call, timestamp);
    const header = signHookRequest('thsec_x', timestamp, body);
    expect(header).toMatch(/^sha256=[0-9a-f]{64}$/);
    await expect(verify('thsec_x', `${timestamp}.${body}`, header)).resolves.toBe(true);
    await expect(verify('thsec_x', `2026-01-02T03:04:06.678Z.${body}`, header)).resolves.toBe(false);
  });
});

describe('questionKey', () => {
  it('equals for the same phase of the same call with the same input', () => {
    expect(questionKey('hook', { ...call, endUserId: 'another', requestId: 's' })).toEqual(questionKey('hook', call));
  });

  it.each<[string, Partial<ToolCall>]>([
    ['project', { projectId: 'q' }],
    ['phase', { hookType: 'tool_execute' }],
    ['turn', { executionId: 'y' }],
    ['call', { toolCallId: 'call_2' }],
    ['tool', { toolName: 'find' }],
    ['arguments', { argumentsJson: '{}' }],
    ['result', { resultJson: '1' }],
  ])('differs by %s', (_, given) => {
    expect(questionKey('hook', { ...call, ...given })).not.toEqual(questionKey('hook', call));
  });

  it('differs by hook', () => {
    expect(questionKey('a', call)).not.toEqual(questionKey('b', call));
  });
});
