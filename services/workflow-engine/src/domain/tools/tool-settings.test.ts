import { describe, expect, it } from '@jest/globals';
import type { LlmNode, ModelNode } from '../plan/plan.js';
import { plannedToolSettings } from './tool-settings.js';

const request = { model: 'm', input: [], state_id: 's', tools: [{ type: 'function', function: { name: 'f' } }] };

function node(...bindings: LlmNode['bindings']): ModelNode {
  return { id: 'n', type: 'llm.responses', request, bindings } as unknown as ModelNode;
}

describe('plannedToolSettings', () => {
  it('takes the settings from the plan when no binding writes them', () => {
    const planned = plannedToolSettings(
      node({ from: 'a', pointer: '', to: '/input/0' }, { from: 'a', pointer: '/tools', to_placeholder: 'tools' }),
    );
    expect(planned).toMatchObject({ state_id: 's', tools: request.tools });
  });

  it.each(['/tools', '/tools/0/function/parameters', '/state_id', '/session_id'])(
    'returns undefined when a binding writes %s',
    (to) => {
      expect(plannedToolSettings(node({ from: 'a', pointer: '', to }))).toBeUndefined();
    },
  );
});
