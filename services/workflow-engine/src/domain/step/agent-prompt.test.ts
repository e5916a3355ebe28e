import { describe, expect, it } from '@jest/globals';
import type { ResponsesBody } from '@tollgate/api/model-requests';
import { memoryText, systemPrompt, toolsFor, withPreamble } from './agent-prompt.js';

describe('the system prompt of an agent', () => {
  it.each([
    ['S', '', 'S'],
    ['S', 'M', '## Agent Memory\n\nM\n\n---\n\nS'],
    ['', 'M', '## Agent Memory\n\nM\n\n---'],
    ['', '', ''],
  ])('renders %j with memory %j', (system, memory, prompt) => {
    expect(systemPrompt(system, memory)).toBe(prompt);
  });

  it.each([
    ['', '', ''],
    ['own', '', 'own'],
    ['', 'theirs', 'theirs'],
    ['own', 'theirs', 'own\n\n### This customer\n\ntheirs'],
  ])('joins the agent’s memory %j and the customer’s %j', (content, customerContent, text) => {
    expect(memoryText({ content, customerContent })).toBe(text);
  });

  it('comes before all other messages', () => {
    const input = [
      { type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text: 'u' }] },
    ];
    const roles = (request: ResponsesBody) => request.input.map(({ role }) => role);
    expect(roles(withPreamble({ input }, 'S', ['c']))).toEqual(['system', 'user', 'user']);
    expect(roles(withPreamble({ input }, '', []))).toEqual(['user']);
  });
});

describe('toolsFor', () => {
  const named = (...names: string[]) => names.map((name) => ({ type: 'function' as const, function: { name } }));
  const request = (tools: ResponsesBody['tools']): ResponsesBody => ({ input: [], ...(tools && { tools }) });
  it.each<[ResponsesBody['tools'], string[] | undefined, boolean]>([
    [named('memory_write'), ['text'], false],
    [named('memory_write'), ['tool_use'], true],
    [named('memory_write'), undefined, true],
    [named('memory_write', 'x'), ['text'], true],
    [named('x'), ['text'], true],
    [undefined, ['text'], false],
  ])('offers the tools %j to a model with capabilities %j', (tools, capabilities, isOffered) => {
    expect('tools' in toolsFor(request(tools), capabilities && { capabilities })).toBe(isOffered);
  });
});
