import type { RunNode } from '../../api/types.js';

/** A node of the plan with its place in the picture. */
export interface GraphNode {
  node: RunNode;
  /** Layers from the left, by the longest way from a start. */
  column: number;
  row: number;
  /** Its sub-nodes: items of a fan-out, calls of an agent. */
  parts: { ended: number; total: number } | undefined;
}

export interface Graph {
  nodes: GraphNode[];
  edges: { from: string; to: string }[];
}

const ENDED = new Set(['succeeded', 'failed', 'canceled']);

/** Places the nodes of a run's plan. Sub-nodes, whose ids contain a dot, are counted by their ancestor. */
export function toGraph(all: readonly RunNode[]): Graph {
  const own = all.filter(({ id }) => !id.includes('.'));
  const columns = toColumns(own);
  const parts = countParts(all);
  const rows = new Map<number, number>();
  const nodes = own.map((node) => {
    const column = columns.get(node.id) as number;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { node, column, row, parts: parts.get(node.id) };
  });
  const edges = own.flatMap(({ id, depends_on: before = [] }) =>
    before.filter((from) => columns.has(from)).map((from) => ({ from, to: id })),
  );
  return { nodes, edges };
}

function toColumns(nodes: readonly RunNode[]): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const columns = new Map<string, number>();
  const place = (id: string): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    columns.set(id, 0); // also ends a circle, which the service would not have accepted
    const before = (byId.get(id)?.depends_on ?? []).filter((each) => byId.has(each));
    const column = Math.max(-1, ...before.map(place)) + 1;
    columns.set(id, column);
    return column;
  };
  for (const { id } of nodes) place(id);
  return columns;
}

function countParts(all: readonly RunNode[]): Map<string, { ended: number; total: number }> {
  const counts = new Map<string, { ended: number; total: number }>();
  for (const { id, status } of all) {
    if (!id.includes('.')) continue;
    const root = id.slice(0, id.indexOf('.'));
    const { ended, total } = counts.get(root) ?? { ended: 0, total: 0 };
    counts.set(root, { ended: ended + (ENDED.has(status) ? 1 : 0), total: total + 1 });
  }
  return counts;
}
