import { describe, expect, it } from '@jest/globals';
import { type ProposedToolHook, toolHookFault } from './tool-hook-rules.js';

const good: ProposedToolHook = {
  hookType: 'pre_tool_use',
  endpointUrl: 'https://example.com/hook',
  timeoutMs: 5_000,
  failBehavior: 'fail_closed',
  toolsAllowlist: [],
  allowMutation: false,
};
const findFault = (given: Partial<ProposedToolHook>, allowPrivate = false) =>
  toolHookFault({ ...good, ...given }, { allowPrivate })?.message;

describe('the settings of a tool hook', () => {
  it.each<[Partial<ProposedToolHook>, string]>([
    [{ hookType: '' }, 'hook_type required'],
    [{ endpointUrl: '' }, 'endpoint_url required'],
    [{ endpointUrl: 'example.com/hook' }, 'endpoint_url must be a valid URL'],
    [{ endpointUrl: 'https://exam ple.com/' }, 'endpoint_url must be a valid URL'],
    [{ endpointUrl: 'https://example.com/\u0000' }, 'endpoint_url must be a valid URL'],
    [{ endpointUrl: 'http://example.com/' }, 'endpoint_url must use https'],
    [{ endpointUrl: 'ftp://example.com/' }, 'endpoint_url must use https'],
    [{ hookType: 'tool_execute' }, 'tools_allowlist required for tool_execute hooks'],
    [{ allowMutation: true }, 'allow_mutation is only valid for post_tool_use hooks'],
    [
      { hookType: 'tool_execute', toolsAllowlist: ['x'], allowMutation: true },
      'allow_mutation is only valid for post_tool_use hooks',
    ],
  ])("rejects %j with the specification's message: %s", (given, message) => {
    expect(findFault(given)).toBe(message);
  });

  it.each<[Partial<ProposedToolHook>, string]>([
    [{ hookType: 'before' }, 'hook_type must be one of pre_tool_use, post_tool_use, tool_execute'],
    [{ failBehavior: 'x' }, 'fail_behavior must be one of fail_closed, fail_open'],
    [{ timeoutMs: 0 }, 'timeout_ms must be between 1 and 60000'],
    [{ timeoutMs: 60_001 }, 'timeout_ms must be between 1 and 60000'],
    [{ timeoutMs: 1.5 }, 'timeout_ms must be between 1 and 60000'],
    [{ toolsAllowlist: [''] }, 'tools_allowlist must hold tool names'],
    [{ toolsAllowlist: ['a b'] }, 'tools_allowlist must hold tool names'],
    [{ toolsAllowlist: ['x'.repeat(129)] }, 'tools_allowlist must hold tool names'],
    [{ toolsAllowlist: Array(201).fill('x') }, 'tools_allowlist has more than 200 entries'],
  ])('rejects %j: %s', (given, message) => {
    expect(findFault(given)).toBe(message);
  });

  it.each<[Partial<ProposedToolHook>]>([
    [{}],
    [{ hookType: 'tool_execute', toolsAllowlist: ['kv.write', 'web_fetch'] }],
    [{ hookType: 'post_tool_use', allowMutation: true, failBehavior: 'fail_open' }],
    [{ timeoutMs: 1 }],
    [{ timeoutMs: 60_000 }],
  ])('accepts %j', (given) => {
    expect(findFault(given)).toBeUndefined();
  });

  it('accepts http only for local development', () => {
    expect(findFault({ endpointUrl: 'http://127.0.0.1:9/' }, true)).toBeUndefined();
  });
});
