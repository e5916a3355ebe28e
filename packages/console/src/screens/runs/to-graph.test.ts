import { describe, expect, it } from '@jest/globals';
import type { RunNode } from '../../api/types.js';
import { toGraph } from './to-graph.js';

const node = (id: string, depends_on: string[] = [], status: RunNode['status'] = 'pending'): RunNode => ({
  id,
  type: 'llm.responses',
  depends_on,
  status,
});
const places = (nodes: RunNode[]) =>
  Object.fromEntries(toGraph(nodes).nodes.map((each) => [each.node.id, [each.column, each.row]]));

describe('toGraph', () => {
  it('places a node behind the last of those that it waits for', () => {
    const nodes = [node('a'), node('b', ['a']), node('c', ['a', 'b']), node('d')];
    expect(places(nodes)).toEqual({ a: [0, 0], b: [1, 0], c: [2, 0], d: [0, 1] });
    expect(toGraph(nodes).edges).toEqual([
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'c' },
    ]);
  });

  it('counts sub-nodes by their ancestor', () => {
    const parts = [node('a.0', [], 'succeeded'), node('a.1', [], 'running'), node('a.1.x', [], 'failed')];
    const { nodes, edges } = toGraph([node('a'), ...parts]);
    expect(nodes).toHaveLength(1);
    expect([nodes[0]?.parts, edges]).toEqual([{ ended: 2, total: 3 }, []]);
  });

  it('places nodes of a service that names no edges, and ends with a circle', () => {
    expect(places([{ id: 'a', type: 't', status: 'pending' }])).toEqual({ a: [0, 0] });
    expect(Object.keys(places([node('a', ['b']), node('b', ['a'])]))).toEqual(['a', 'b']);
  });
});
