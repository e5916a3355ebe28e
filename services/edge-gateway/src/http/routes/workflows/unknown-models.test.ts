import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { findUnknownModels } from './unknown-models.js';

const catalog = loadCatalog({ sandbox: true });
const issue = (path: string, model = 'no/such') => ({ code: 'UNKNOWN_MODEL', path, message: `unknown model ${model}` });
const find = (...nodes: unknown[]) => findUnknownModels(catalog, { kind: 'workflow.v1', nodes });

describe('findUnknownModels', () => {
  it.each([
    ['a request as input', { type: 'llm.responses', input: { model: 'no/such' } }, '/nodes/0/input/model'],
    [
      'a wrapped request',
      { type: 'llm.responses', input: { request: { model: 'no/such' } } },
      '/nodes/0/input/request/model',
    ],
    ['a switch by a model', { type: 'route.switch', input: { model: 'no/such' } }, '/nodes/0/input/model'],
    ['an agent’s other model', { type: 'agent.run', agent: 'a@1', model: 'no/such' }, '/nodes/0/model'],
    [
      'an agent’s other model in its input',
      { type: 'agent.run', input: { agent: 'a@1', model: 'no/such' } },
      '/nodes/0/input/model',
    ],
    [
      'a fan-out',
      { type: 'map.fanout', input: { subnode: { type: 'llm.responses', input: { request: { model: 'no/such' } } } } },
      '/nodes/0/input/subnode/input/request/model',
    ],
    [
      'a model of another provider',
      { type: 'llm.responses', input: { model: 'no/such', provider: 'sandbox' } },
      '/nodes/0/input/model',
    ],
  ])('reports %s', (_, node, path) => {
    expect(find({ id: 'a', ...node })).toEqual([issue(path)]);
  });

  it.each([
    ['a known model', { type: 'llm.responses', input: { model: 'sandbox/echo-1' } }],
    ['no model', { type: 'llm.responses', input: { input: [] } }],
    [
      'a model that a binding fills',
      { type: 'llm.responses', input: { request: { model: 'no/such' }, bindings: [{ to: '/model' }] } },
    ],
    ['a switch by cases', { type: 'route.switch', input: { cases: [], model: 'no/such' } }],
    ['data of a transform', { type: 'transform.json', input: { model: 'no/such' } }],
    ['no object', null],
  ])('accepts %s', (_, node) => {
    expect(find(node)).toEqual([]);
  });

  it('reports several, and nothing for a spec that has no nodes', () => {
    const node = { type: 'llm.responses', input: { model: 'no/such' } };
    expect(find(node, node).map(({ path }) => path)).toEqual(['/nodes/0/input/model', '/nodes/1/input/model']);
    for (const spec of [undefined, null, 7, [], {}, { nodes: {} }])
      expect(findUnknownModels(catalog, spec)).toEqual([]);
  });
});
