import { describe, expect, it } from '@jest/globals';
import type { ResponsesBody } from '@tollgate/api';
import type { AgentNode, ModelNode, Plan, PlanInput } from '../plan/plan.js';
import { callTimeLimit, nodeTimeout, nodeTimeoutMs } from '../run/time-limit.js';
import { memoryText, systemPrompt, toolsFor, withPreamble } from '../step/agent-prompt.js';
import type { Json } from '../values/json.js';
import { fragmentInputs } from './fragment-inputs.js';
import { reportMocks, serveMock } from './mocks.js';
import { type AfterFailure, afterToolFailure, failureInOutput } from './tool-failure.js';

describe('the system prompt of an agent', () => {
  it.each([
    ['S', '', 'S'],
    ['S', 'M', '## Agent Memory\n\nM\n\n---\n\nS'],
    ['', 'M', '## Agent Memory\n\nM\n\n---'],
    ['', '', ''],
  ])('%j with memory %j', (system, memory, prompt) => {
    expect(systemPrompt(system, memory)).toBe(prompt);
  });

  it.each([
    ['', '', ''],
    ['own', '', 'own'],
    ['', 'theirs', 'theirs'],
    ['own', 'theirs', 'own\n\n### This customer\n\ntheirs'],
  ])('joins the own memory %j and the customer’s %j', (content, customerContent, text) => {
    expect(memoryText({ content, customerContent })).toBe(text);
  });

  it('stands before everything else', () => {
    const input = [
      { type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text: 'u' }] },
    ];
    const roles = (request: ResponsesBody) => request.input.map(({ role }) => role);
    expect(roles(withPreamble({ input }, 'S', ['c']))).toEqual(['system', 'user', 'user']);
    expect(roles(withPreamble({ input }, '', []))).toEqual(['user']);
  });
});

describe('tools for a model that has none', () => {
  const named = (...names: string[]) => names.map((name) => ({ type: 'function' as const, function: { name } }));
  const request = (tools: ResponsesBody['tools']): ResponsesBody => ({ input: [], ...(tools && { tools }) });
  it.each<[ResponsesBody['tools'], string[] | undefined, boolean]>([
    [named('memory_write'), ['text'], false],
    [named('memory_write'), ['tool_use'], true],
    [named('memory_write'), undefined, true],
    [named('memory_write', 'x'), ['text'], true],
    [named('x'), ['text'], true],
    [undefined, ['text'], false],
  ])('%j, %j', (tools, capabilities, isOffered) => {
    expect('tools' in toolsFor(request(tools), capabilities && { capabilities })).toBe(isOffered);
  });
});

describe('a tool that fails', () => {
  const agent = (policy: string, retries = 0) =>
    ({ type: 'agent.run', tool_failure: { policy, retries } }) as ModelNode;
  const llm = { type: 'llm.responses' } as ModelNode;
  const answer = { code: 'WEB_SEARCH_FAILED', message: '', isAnswer: true } as const;
  const unhandled = { code: 'TOOL_UNHANDLED', message: '', isAnswer: false } as const;
  const hook = { code: 'HOOK_FAILED', message: '', isAnswer: false } as const;
  const blocked = { code: 'FORBIDDEN', message: '', isAnswer: true } as const;
  const unmocked = { code: 'TOOL_NOT_MOCKED', message: '', isAnswer: false } as const;

  it.each<[string, ModelNode, Parameters<typeof afterToolFailure>[1], number, AfterFailure]>([
    ['elsewhere, an answer', llm, answer, 1, 'report'],
    ['elsewhere, no answer', llm, unhandled, 1, 'stop'],
    ['stop', agent('stop'), answer, 1, 'stop'],
    ['continue', agent('continue'), answer, 1, 'report'],
    ['continue, no answer', agent('continue'), unhandled, 1, 'report'],
    ['continue, a hook that must not fail', agent('continue'), hook, 1, 'stop'],
    ['retry, the first time', agent('retry', 2), answer, 1, 'retry'],
    ['retry, the last time', agent('retry', 2), answer, 2, 'retry'],
    ['retry, used up', agent('retry', 2), answer, 3, 'stop'],
    ['retry, a hook', agent('retry', 1), hook, 1, 'retry'],
    ['retry, nobody there', agent('retry', 9), unhandled, 1, 'stop'],
    ['retry, an unavailable hook', agent('retry', 9), { ...unhandled, isAnswer: true }, 1, 'stop'],
    ['stop, blocked by a hook', agent('stop'), blocked, 1, 'report'],
    ['continue, in a dry run', agent('continue'), unmocked, 1, 'stop'],
    ['retry, in a dry run', agent('retry', 9), unmocked, 1, 'stop'],
  ])('%s', (_name, node, failure, attempt, then) => {
    expect(afterToolFailure(node, failure, attempt)).toBe(then);
  });

  it.each<[Json, string | undefined]>([
    [{ error: { code: 'CONFLICT', message: 'm' } }, 'CONFLICT'],
    [{ error: { code: 'of_its_own', message: 'm' } }, 'PROVIDER_ERROR'],
    [{ error: 'text' }, undefined],
    [{ error: null }, undefined],
    [{ ok: true, error: { code: 'CONFLICT' } }, undefined],
    ['error', undefined],
  ])('says so in its output: %j', (output, code) => {
    expect(failureInOutput(JSON.stringify(output))?.code).toBe(code);
  });
});

describe('what a mock answers', () => {
  const fresh = { count: 0, keys: new Set<string>() };
  it.each<[string, Json, string, number, Json | undefined]>([
    ['a list, the first', [1, 2], '{}', 0, 1],
    ['a list, the second', [1, 2], '{}', 1, 2],
    ['a list, used up', [1, 2], '{}', 2, undefined],
    ['an empty list', [], '{}', 0, undefined],
    ['an object by id', { a: 1 }, '{"id":"a"}', 7, 1],
    ['an object by key', { a: 1 }, '{"key":"a"}', 7, 1],
    ['an object by id before key', { a: 1, b: 2 }, '{"key":"a","id":"b"}', 0, 2],
    ['an object by key where id is unknown', { a: 1 }, '{"key":"a","id":"z"}', 0, 1],
    ['an object whose id is no text', { 1: 'x' }, '{"id":1}', 0, { 1: 'x' }],
    ['an object without the key, once', { a: 1 }, '{"id":"z"}', 0, { a: 1 }],
    ['an object without the key, twice', { a: 1 }, '{"id":"z"}', 1, undefined],
    ['no inherited key', {}, '{"id":"toString"}', 0, {}],
    ['for arguments that are no JSON', { a: 1 }, 'id: a', 0, { a: 1 }],
    ['a value, once', 'v', '{}', 0, 'v'],
    ['a value, twice', 'v', '{}', 1, undefined],
    ['null', null, '{}', 0, null],
    ['false', false, '{}', 0, false],
  ])('%s', (_name, mock, args, count, value) => {
    expect(serveMock(mock, args, { ...fresh, count })?.value).toEqual(value);
  });

  it('is reported by the names of the mocks, with nothing that is zero', () => {
    const mocks = { list: [1, 2, 3], 'a.b': { x: 1, y: 2 }, single: 1, never: [], unasked: { x: 1, y: 2 } };
    const calls = [
      { tool: 'list', served: 2, key: null },
      { tool: 'a_b', served: 1, key: 'x' },
      { tool: 'a_b', served: 1, key: 'x' },
      { tool: 'single', served: 1, key: null },
      { tool: 'single', served: 0, key: null },
      { tool: 'other', served: 0, key: null },
    ];
    expect(reportMocks(mocks, calls)).toEqual({
      served: { list: 2, 'a.b': 2, single: 1 },
      unconsumed: { list: 1, 'a.b': 1, unasked: 1 },
      unmocked: { single: 1, other: 1 },
    });
  });
});

describe('the inputs of a fragment', () => {
  const declared = (more: Partial<PlanInput> = {}): PlanInput => ({
    name: 'q',
    type: 'string',
    required: true,
    ...more,
  });
  it.each<[string, PlanInput, string, string, Json | undefined]>([
    ['by name', declared(), '/q', '{"q":"x"}', 'x'],
    ['by pointer', declared(), '/a/0/b', '{"a":[{"b":"x"}]}', 'x'],
    ['the whole arguments', declared({ type: 'object' }), '', '{"z":1}', { z: 1 }],
    ['missing but required', declared(), '/q', '{}', undefined],
    ['missing with a default', declared({ default: 'd' }), '/q', '{}', 'd'],
    ['missing and optional', declared({ required: false }), '/q', '', null],
    ['of a wrong type', declared(), '/q', '{"q":1}', undefined],
    ['of arguments that are no object', declared(), '/q', '[]', undefined],
    ['of arguments that are no JSON', declared(), '/q', '{', undefined],
  ])('%s', (_name, input, pointer, args, value) => {
    const inputs = fragmentInputs({ inputs: [input] }, { q: pointer }, args);
    expect(inputs.ok ? inputs.value.q : undefined).toEqual(value);
    expect(inputs.ok).toBe(value !== undefined);
  });
});

describe('time limits', () => {
  const plan = { execution: { node_timeout_ms: 10_000 } } as Plan;
  const agent = (max_duration_ms: number, step_timeout_ms = 1_000) =>
    ({ type: 'agent.run', max_duration_ms, step_timeout_ms }) as AgentNode;

  it.each<[string, AgentNode, number, string]>([
    ['of an agent', agent(5_000), 5_000, 'AGENT_LIMIT_REACHED'],
    ['of its workflow, where that is shorter', agent(50_000), 10_000, 'RELAY_TIMEOUT'],
  ])('%s', (_name, node, ms, code) => {
    expect([nodeTimeoutMs(plan, node), nodeTimeout(plan, node).code]).toEqual([ms, code]);
  });

  it.each([
    [9_000, 1_000, 'a step of the agent did not end within 1 s'],
    [500, 500, 'the agent did not end within 5 s'],
  ])('of one call with %i ms left', (remainingMs, ms, message) => {
    const limit = callTimeLimit(plan, agent(5_000), remainingMs);
    expect([limit.remainingMs, limit.failure.message]).toEqual([ms, message]);
  });
});
