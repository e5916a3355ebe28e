import { describe, expect, it } from '@jest/globals';
import { bindingFault } from './tool-hook.js';

describe('bindingFault', () => {
  const hook = { hookType: 'tool_execute', enabled: true, toolsAllowlist: ['kv.write'] } as const;

  it.each(['kv.write', 'kv_write'])('accepts the tool %s of the allowlist', (name) => {
    expect(bindingFault({ ...hook, toolsAllowlist: ['kv.write'] }, name)).toBeUndefined();
  });

  it.each([
    ['was deleted', undefined, /deleted/],
    ['is of another type', { ...hook, hookType: 'post_tool_use' as const, toolsAllowlist: [] }, /post_tool_use/],
    ['is disabled', { ...hook, enabled: false, toolsAllowlist: ['kv.write'] }, /disabled/],
    ['does not list the tool', { ...hook, toolsAllowlist: ['kv.read'] }, /allowlist does not include kv_write/],
  ])('names the reason when the hook %s', (_state, given, reason) => {
    expect(bindingFault(given, 'kv_write')).toMatch(reason);
  });
});
