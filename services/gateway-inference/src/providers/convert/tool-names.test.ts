import { expect, it } from '@jest/globals';
import type { ModelRequest } from '../../domain/model-request.js';
import { ToolNames, toolName } from './tool-names.js';

const long = `mcp__files__${'read_'.repeat(20)}`;

function names(...declared: string[]): ToolNames {
  return new ToolNames({ tools: declared.map((name) => ({ name })) } as unknown as ModelRequest);
}

it.each([
  ['kv_get-1', 'kv_get-1'],
  ['kv.get', 'kv_get'],
  ['1st', '_1st'],
  ['-x', '_-x'],
  ['a:b/c d', 'a_b_c_d'],
  ['größe', 'gr__e'],
])('offers %s as %s', (name, offered) => {
  expect(toolName(name)).toBe(offered);
});

it.each([65, 128, 500])('cuts a name of %i characters, and returns calls in its spelling', (length) => {
  const name = 'n'.repeat(length);
  expect(toolName(name)).toMatch(/^n{55}_[0-9a-f]{8}$/);
  expect(names(name).original(toolName(name))).toBe(name);
});

it('keeps long names apart that differ at their end', () => {
  const [one, other] = [`${long}one`, `${long}other`];
  expect(toolName(one)).not.toBe(toolName(other));
  expect(names(one, other).original(toolName(other))).toBe(other);
});

it('refuses names that are the same for the provider', () => {
  expect(() => names('kv.get', 'kv_get')).toThrow('tools kv.get and kv_get have the same name for the provider');
});
