import { describe, expect, it } from '@jest/globals';
import type { ToolRef } from '@tollgate/api/runs';
import { effectiveRetryCount, newAgent, reviseAgent } from './agent-values.js';

const tool = (name: string, parameters: Record<string, unknown> = {}): ToolRef => ({
  definition: { type: 'function', function: { name, parameters } },
});

const { profile, config } = newAgent({
  name: 'Helper',
  system: 'Help.',
  tools: [tool('a', { type: 'object', properties: { x: {}, y: {} } }), tool('b')],
  maxSteps: 5,
});

describe('newAgent', () => {
  it("fills in the contract's defaults", () => {
    expect(newAgent({ name: 'Helper' })).toEqual({
      profile: { name: 'Helper', description: '' },
      config: {
        system: '',
        model: '',
        tools: [],
        fragments: {},
        maxSteps: 10,
        maxDurationSec: 300,
        stepTimeoutSec: 60,
        toolFailurePolicy: 'stop',
        toolRetryCount: undefined,
      },
    });
  });
});

describe('reviseAgent', () => {
  it.each([
    ['nothing', {}, false, false],
    ['the same values', { name: 'Helper', system: 'Help.', maxSteps: 5 }, false, false],
    ['the same default spelled out', { toolFailurePolicy: 'stop' as const, maxDurationSec: 300 }, false, false],
    ['a field back to the default that it has', { model: undefined, description: undefined }, false, false],
    ['a new name', { name: 'Helfer' }, true, false],
    ['a new description', { description: 'Helps.' }, true, false],
    ['a new prompt', { system: 'Help well.' }, false, true],
    ['a field back to another default', { maxSteps: undefined }, false, true],
    ['both kinds', { name: 'Helfer', model: 'm' }, true, true],
    ['tools in another order', { tools: [...config.tools].reverse() }, false, true],
    ['no tools', { tools: undefined }, false, true],
  ])('reports the changes of %s', (_, values, isProfileChanged, isConfigChanged) => {
    expect(reviseAgent(profile, config, values)).toMatchObject({ isProfileChanged, isConfigChanged });
  });

  it('ignores the order of keys', () => {
    const reordered: ToolRef = {
      definition: {
        function: { parameters: { properties: { y: {}, x: {} }, type: 'object' }, name: 'a' },
        type: 'function',
      },
    };
    expect(reviseAgent(profile, config, { tools: [reordered, tool('b')] }).isConfigChanged).toBe(false);
  });

  it('keeps omitted fields', () => {
    const next = reviseAgent(profile, config, { model: 'm' });
    expect(next.config).toEqual({ ...config, model: 'm' });
    expect(next.profile).toEqual(profile);
  });
});

describe('effectiveRetryCount', () => {
  it.each([
    ['stop', undefined, undefined],
    ['continue', 3, 3],
    ['retry', undefined, 1],
    ['retry', 0, 0],
    ['retry', 4, 4],
  ] as const)('returns for the policy %s with the count %s: %s', (toolFailurePolicy, toolRetryCount, expected) => {
    expect(effectiveRetryCount({ ...config, toolFailurePolicy, toolRetryCount })).toBe(expected);
  });
});
