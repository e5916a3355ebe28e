import { describe, expect, it } from '@jest/globals';
import type { Binding, LlmNode } from '../plan/plan.js';
import type { Json } from '../values/json.js';
import { bindRequest } from './bind-request.js';

const outputs = new Map<string, Json>([
  ['text', 'plain "text" with {{other}}'],
  ['data', { list: [1, 2], name: 'n' }],
]);

function node(prompt: string, bindings: Binding[], request: object = {}): LlmNode {
  const message = { type: 'message', role: 'user', content: [{ type: 'text', text: prompt }] };
  return {
    id: 'n',
    type: 'llm.responses',
    after: [],
    request: { model: 'm', input: [message], ...request } as LlmNode['request'],
    stream: true,
    tool_execution: { mode: 'server' },
    tool_limits: { max_llm_calls: 1, max_tool_calls_per_step: 1, wait_ttl_ms: 1 },
    bindings,
  };
}

function requirePrompt(bound: ReturnType<typeof bindRequest>): string {
  if (!bound.ok) throw new Error(bound.failure.message);
  const part = bound.value.input[0]?.content?.[0];
  return part?.type === 'text' ? part.text : '';
}

const rows: [name: string, prompt: string, binding: Binding, expected: string][] = [
  [
    'a string goes into a placeholder unchanged',
    '<{{x}}>',
    { from: 'text', pointer: '', to_placeholder: 'x' },
    '<plain "text" with {{other}}>',
  ],
  [
    'a text is quoted where JSON is asked for',
    '{{x}}',
    { from: 'data', pointer: '/name', to_placeholder: 'x', encoding: 'json' },
    '"n"',
  ],
  ['anything else goes in as JSON', '{{x}}', { from: 'data', pointer: '/list', to_placeholder: 'x' }, '[1,2]'],
  ['every occurrence is filled', '{{x}}-{{x}}', { from: 'data', pointer: '/name', to_placeholder: 'x' }, 'n-n'],
  [
    'a text is put at a place',
    'old',
    { from: 'text', pointer: '', to: '/input/0/content/0/text' },
    'plain "text" with {{other}}',
  ],
  [
    'JSON as a string is put at a place',
    'old',
    { from: 'data', pointer: '', to: '/input/0/content/0/text', encoding: 'json_string' },
    '{"list":[1,2],"name":"n"}',
  ],
];

describe('bindRequest', () => {
  it.each(rows)('binds values: %s', (_name, prompt, binding, expected) => {
    expect(requirePrompt(bindRequest(node(prompt, [binding]), outputs))).toBe(expected);
  });

  it('does not search inserted text for placeholders', () => {
    const bindings: Binding[] = [
      { from: 'text', pointer: '', to_placeholder: 'x' },
      { from: 'data', pointer: '/name', to_placeholder: 'other' },
    ];
    expect(requirePrompt(bindRequest(node('{{x}}', bindings), outputs))).toBe('plain "text" with {{other}}');
  });

  it('does not change the plan', () => {
    const bound = node('{{x}}', [{ from: 'data', pointer: '/name', to_placeholder: 'x' }]);
    const before = JSON.stringify(bound);
    bindRequest(bound, outputs);
    expect(JSON.stringify(bound)).toBe(before);
  });

  it('replaces the model by the run’s', () => {
    const bound = bindRequest(node('x', []), outputs, 'other');
    expect(bound).toMatchObject({ ok: true, value: { model: 'other' } });
  });

  it('fails when a pointer finds nothing', () => {
    const bound = bindRequest(node('{{x}}', [{ from: 'data', pointer: '/nope', to_placeholder: 'x' }]), outputs);
    expect(bound).toMatchObject({ ok: false, failure: { code: 'POINTER_NOT_FOUND' } });
  });

  it('fails when the bound request is invalid', () => {
    const bound = bindRequest(node('x', [{ from: 'data', pointer: '', to: '/temperature' }]), outputs);
    expect(bound).toMatchObject({ ok: false, failure: { code: 'VALIDATION_ERROR' } });
  });

  it('limits the size of a prompt with many placeholders for one large text', () => {
    const large = new Map<string, Json>([['text', 'x'.repeat(1_000_000)]]);
    const binding: Binding = { from: 'text', pointer: '', to_placeholder: 'x' };
    const bound = bindRequest(node('{{x}}'.repeat(100), [binding]), large);
    expect(bound).toMatchObject({ ok: false, failure: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('searches a prompt full of braces in linear time', () => {
    const binding: Binding = { from: 'data', pointer: '/name', to_placeholder: 'x' };
    expect(requirePrompt(bindRequest(node(`${'{'.repeat(500_000)}{{x}}`, [binding]), outputs))).toHaveLength(500_001);
  });
});
