import { describe, expect, it } from '@jest/globals';
import type { ModelNode } from '../plan/plan.js';
import type { Json } from '../values/json.js';
import { type AfterFailure, afterToolFailure, failureInOutput } from './tool-failure.js';

describe('a failed tool', () => {
  const agent = (policy: string, retries = 0) =>
    ({ type: 'agent.run', tool_failure: { policy, retries } }) as ModelNode;
  const llm = { type: 'llm.responses' } as ModelNode;
  const answer = { code: 'WEB_SEARCH_FAILED', message: '', isAnswer: true } as const;
  const unhandled = { code: 'TOOL_UNHANDLED', message: '', isAnswer: false } as const;
  const hook = { code: 'HOOK_FAILED', message: '', isAnswer: false } as const;
  const blocked = { code: 'FORBIDDEN', message: '', isAnswer: true } as const;
  const unmocked = { code: 'TOOL_NOT_MOCKED', message: '', isAnswer: false } as const;

  it.each<[string, ModelNode, Parameters<typeof afterToolFailure>[1], number, AfterFailure]>([
    ['in another node, an answer', llm, answer, 1, 'report'],
    ['in another node, no answer', llm, unhandled, 1, 'stop'],
    ['stop', agent('stop'), answer, 1, 'stop'],
    ['continue', agent('continue'), answer, 1, 'report'],
    ['continue, no answer', agent('continue'), unhandled, 1, 'report'],
    ['continue, a fail-closed hook', agent('continue'), hook, 1, 'stop'],
    ['retry, the first time', agent('retry', 2), answer, 1, 'retry'],
    ['retry, the last time', agent('retry', 2), answer, 2, 'retry'],
    ['retry, used up', agent('retry', 2), answer, 3, 'stop'],
    ['retry, a hook', agent('retry', 1), hook, 1, 'retry'],
    ['retry, no executor', agent('retry', 9), unhandled, 1, 'stop'],
    ['retry, an unavailable hook', agent('retry', 9), { ...unhandled, isAnswer: true }, 1, 'stop'],
    ['retry, a hook that failed open', agent('retry', 9), { ...unhandled, isAnswer: true, mayRetry: true }, 1, 'retry'],
    ['stop, blocked by a hook', agent('stop'), blocked, 1, 'report'],
    ['continue, in a dry run', agent('continue'), unmocked, 1, 'stop'],
    ['retry, in a dry run', agent('retry', 9), unmocked, 1, 'stop'],
  ])('decides whether to report, retry or stop: %s', (_name, node, failure, attempt, then) => {
    expect(afterToolFailure(node, failure, attempt)).toBe(then);
  });

  it.each<[Json, string | undefined]>([
    [{ error: { code: 'CONFLICT', message: 'm' } }, 'CONFLICT'],
    [{ error: { code: 'of_its_own', message: 'm' } }, 'PROVIDER_ERROR'],
    [{ error: 'text' }, undefined],
    [{ error: null }, undefined],
    [{ ok: true, error: { code: 'CONFLICT' } }, undefined],
    ['error', undefined],
  ])('finds the failure, if any, in the output %j', (output, code) => {
    expect(failureInOutput(JSON.stringify(output))?.code).toBe(code);
  });
});
