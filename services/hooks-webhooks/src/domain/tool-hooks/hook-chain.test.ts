import { describe, expect, it } from '@jest/globals';
import type { HookVerdict } from './hook-answer.js';
import { applyVerdict, type Chain, endChain, nextHook } from './hook-chain.js';
import type { ToolCall } from './tool-call.js';
import { coversTool, type ToolHook, type ToolHookType } from './tool-hook.js';

function newChain(hookType: ToolHookType, given: Partial<ToolCall> = {}): Chain {
  const ids = { projectId: 'p', endUserId: undefined, requestId: 'r', executionId: 'x', toolCallId: 't' };
  const call = { ...ids, hookType, toolName: 'search', argumentsJson: '{"q":1}', resultJson: undefined, ...given };
  return { call, askedIds: new Set() };
}
const newHook = (id: string, toolsAllowlist: string[] = []) => ({ id, toolsAllowlist }) as ToolHook;
const closed = { id: 'a', failBehavior: 'fail_closed' } as const;
const open = { id: 'a', failBehavior: 'fail_open' } as const;
const failure = { kind: 'failed', error: 'down', isTimeout: false, isRetryable: true } as const;

describe('nextHook', () => {
  it('returns every hook that covers the tool once, in the given order', () => {
    const hooks = [newHook('a'), newHook('b', ['other']), newHook('c', ['search'])];
    const asked: string[] = [];
    let chain = newChain('pre_tool_use');
    for (let hook = nextHook(chain, hooks); hook; hook = nextHook(chain, hooks)) {
      asked.push(hook.id);
      chain = applyVerdict(chain, { ...closed, id: hook.id }, { kind: 'allow' }) as Chain;
    }
    expect(asked).toEqual(['a', 'c']);
  });

  it('returns a hook that covers the changed tool', () => {
    const hooks = [newHook('guard', ['delete_all']), newHook('rewriter')];
    const rewritten = applyVerdict(
      newChain('pre_tool_use'),
      { ...closed, id: 'rewriter' },
      {
        kind: 'call',
        toolName: 'delete_all',
        argumentsJson: '{}',
      },
    ) as Chain;
    expect(nextHook(rewritten, hooks)?.id).toBe('guard');
  });

  it.each([
    [[], 'anything', true],
    [['kv_write'], 'kv_write', true],
    [['kv.write'], 'kv_write', true],
    [['kv_write'], 'kv.write', true],
    [['kv_write'], 'kv_write_all', false],
    [['search'], 'Search', false],
    [['a-b'], 'a_b', false],
  ])('matches the allowlist %j with the tool %s: %s', (toolsAllowlist, tool, expected) => {
    expect(coversTool({ toolsAllowlist }, tool)).toBe(expected);
  });
});

describe('a decision', () => {
  it.each<[ToolHookType, HookVerdict, object]>([
    ['pre_tool_use', { kind: 'block', error: 'no' }, { kind: 'block', error: 'no' }],
    ['post_tool_use', { kind: 'block', error: 'no' }, { kind: 'block', error: 'no' }],
    ['tool_execute', { kind: 'block', error: 'no' }, { kind: 'block', error: 'no' }],
    ['tool_execute', { kind: 'result', resultJson: '1' }, { kind: 'result', resultJson: '1' }],
    ['pre_tool_use', failure, { kind: 'failed', error: 'down', isRetryable: true }],
  ])('ends the phase for %s: %j', (hookType, verdict, answer) => {
    expect(applyVerdict(newChain(hookType), closed, verdict)).toEqual(answer);
  });

  it('changes the call for the next hook', () => {
    const verdict = { kind: 'call', toolName: 'find', argumentsJson: '{"q":2}' } as const;
    const next = applyVerdict(newChain('pre_tool_use'), closed, verdict) as Chain;
    expect(next.call).toMatchObject({ toolName: 'find', argumentsJson: '{"q":2}', toolCallId: 't' });
    expect(endChain(next)).toEqual({
      kind: 'allow',
      toolName: 'find',
      argumentsJson: '{"q":2}',
      resultJson: undefined,
    });
  });

  it('changes the result for the next hook', () => {
    const chain = newChain('post_tool_use', { resultJson: '"secret"' });
    const next = applyVerdict(chain, closed, { kind: 'result', resultJson: '"***"' }) as Chain;
    expect(endChain(next)).toMatchObject({ kind: 'allow', resultJson: '"***"', argumentsJson: '{"q":1}' });
  });

  it('keeps the call when a fail_open hook fails', () => {
    const next = applyVerdict(newChain('pre_tool_use'), open, failure) as Chain;
    expect(endChain(next)).toMatchObject({ kind: 'allow', toolName: 'search', argumentsJson: '{"q":1}' });
  });

  it('reports why a fail_open hook that executes tools did not', () => {
    const failed = applyVerdict(newChain('tool_execute'), open, failure) as Chain;
    expect(endChain(failed)).toMatchObject({ kind: 'allow', failure: 'down' });
    const others = [applyVerdict(newChain('pre_tool_use'), open, failure), newChain('tool_execute')] as Chain[];
    for (const chain of others) expect(endChain(chain)).not.toHaveProperty('failure');
  });

  it('ends as none when no hook was called', () => {
    expect(endChain(newChain('pre_tool_use'))).toEqual({ kind: 'none' });
  });
});
