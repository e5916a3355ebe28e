import { describe, expect, it } from '@jest/globals';
import { JSON_DEPTH_MAX } from '../json-value.js';
import { BLOCKED_MESSAGE, judgeAnswer } from './hook-answer.js';
import type { ToolHookType } from './tool-hook.js';

function judge(hookType: ToolHookType, answer: unknown, given: { status?: number; allowMutation?: boolean } = {}) {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return judgeAnswer({ hookType, allowMutation: given.allowMutation ?? false }, 'search', given.status ?? 200, body);
}
const allow = { kind: 'allow' };
const failed = (error: string) => ({ kind: 'failed', error, isTimeout: false, isRetryable: false });
const pre = 'pre_tool_use';
const post = 'post_tool_use';
const execute = 'tool_execute';

describe('an answer', () => {
  it.each<[ToolHookType, unknown, unknown]>([
    [pre, { action: 'allow' }, allow],
    [post, { action: 'allow' }, allow],
    [execute, { action: 'allow' }, allow],
    [pre, { action: 'allow', tool_call: { name: 'x', arguments: { a: 1 } } }, allow],
    [pre, { action: 'allow', result: 'ignored' }, allow],
    [post, { action: 'allow', result: 'ignored' }, allow],
    [pre, { action: 'block', error: 'no' }, { kind: 'block', error: 'no' }],
    [post, { action: 'block', error: 'no' }, { kind: 'block', error: 'no' }],
    [execute, { action: 'block', error: 'no', result: 1 }, { kind: 'block', error: 'no' }],
    [pre, { action: 'block' }, { kind: 'block', error: BLOCKED_MESSAGE }],
    [pre, { action: 'block', error: '' }, { kind: 'block', error: BLOCKED_MESSAGE }],
    [pre, { action: 'block', error: { code: 7 } }, { kind: 'block', error: '{"code":7}' }],
    [pre, { action: 'block', error: 'x'.repeat(9_000) }, { kind: 'block', error: 'x'.repeat(4_000) }],
    [
      pre,
      { action: 'modify', tool_call: { arguments: { q: 'b' } } },
      { kind: 'call', toolName: 'search', argumentsJson: '{"q":"b"}' },
    ],
    [
      pre,
      { action: 'modify', tool_call: { id: 'theirs', name: 'find', arguments: {} } },
      { kind: 'call', toolName: 'find', argumentsJson: '{}' },
    ],
    [
      execute,
      { action: 'modify', tool_call: { name: 'find', arguments: { a: 1 } } },
      { kind: 'call', toolName: 'find', argumentsJson: '{"a":1}' },
    ],
    [execute, { action: 'allow', result: { ok: 1 } }, { kind: 'result', resultJson: '{"ok":1}' }],
    [execute, { action: 'modify', result: 'text' }, { kind: 'result', resultJson: '"text"' }],
    [execute, { result: false }, { kind: 'result', resultJson: 'false' }],
    [execute, { action: 'allow', result: null }, allow],
  ])('reads for %s: %j', (hookType, answer, verdict) => {
    expect(judge(hookType, answer)).toEqual({ verdict });
  });

  it.each<[ToolHookType, unknown, string]>([
    [pre, '', 'the hook did not answer with a JSON object'],
    [pre, 'no json', 'the hook did not answer with a JSON object'],
    [pre, '{"action":"allow"', 'the hook did not answer with a JSON object'],
    [pre, [], 'the hook did not answer with a JSON object'],
    [pre, null, 'the hook did not answer with a JSON object'],
    [pre, '"allow"', 'the hook did not answer with a JSON object'],
    [
      execute,
      `{"result":${'['.repeat(JSON_DEPTH_MAX + 1)}${']'.repeat(JSON_DEPTH_MAX + 1)}}`,
      'the hook did not answer with a JSON object',
    ],
    [pre, {}, 'the answer has no action'],
    [pre, { result: 1 }, 'the answer has no action'],
    [post, { result: 1 }, 'the answer has no action'],
    [pre, { action: 'deny' }, 'the answer has an unknown action'],
    [pre, { action: 'Allow' }, 'the answer has an unknown action'],
    [pre, { action: 7 }, 'the answer has an unknown action'],
    [execute, { action: 'run', result: 1 }, 'the answer has an unknown action'],
    [pre, { action: 'modify' }, 'modify without a tool_call'],
    [pre, { action: 'modify', result: 1 }, 'modify without a tool_call'],
    [execute, { action: 'modify' }, 'modify without a tool_call'],
    [pre, { action: 'modify', tool_call: {} }, 'the arguments of the modified tool_call are not an object'],
    [
      pre,
      { action: 'modify', tool_call: { arguments: '{}' } },
      'the arguments of the modified tool_call are not an object',
    ],
    [pre, { action: 'modify', tool_call: { name: 3, arguments: {} } }, 'the modified tool_call has no valid name'],
    [pre, { action: 'modify', tool_call: { name: '', arguments: {} } }, 'the modified tool_call has no valid name'],
    [post, { action: 'modify' }, 'modify without a result'],
    [post, { action: 'modify', tool_call: { arguments: {} } }, 'modify without a result'],
  ])('fails for %s: %j (%s)', (hookType, answer, error) => {
    expect(judge(hookType, answer)).toEqual({ verdict: failed(error) });
  });

  it.each([
    [301, 'redirects are not followed (status 301)'],
    [307, 'redirects are not followed (status 307)'],
    [400, 'the hook answered with status 400'],
    [500, 'the hook answered with status 500'],
  ])('fails with status %i whatever the body says', (status, error) => {
    expect(judge(pre, { action: 'allow' }, { status })).toEqual({ verdict: failed(error) });
  });

  it('accepts any 2xx', () => {
    expect(judge(pre, { action: 'allow' }, { status: 202 })).toEqual({ verdict: allow });
  });
});

describe('modify in post_tool_use', () => {
  const answer = { action: 'modify', result: { masked: true } };

  it('replaces the result when the hook may', () => {
    const verdict = { kind: 'result', resultJson: '{"masked":true}' };
    expect(judge(post, answer, { allowMutation: true })).toEqual({ verdict });
  });

  it('ignores and notes a change when the hook may not', () => {
    const note = 'modify ignored: the hook has no allow_mutation';
    expect(judge(post, answer)).toEqual({ verdict: allow, note });
  });
});
