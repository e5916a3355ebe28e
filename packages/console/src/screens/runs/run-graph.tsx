import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { RunNode, RunSnapshot } from '../../api/types.js';
import { Status } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { classes } from '../../parts/classes.js';
import { Json } from '../../parts/copy.js';
import { type GraphNode, toGraph } from './to-graph.js';
import '@xyflow/react/dist/base.css';

const COLUMN_PX = 290;
const ROW_PX = 110;

type Box = Node<{ graph: GraphNode }, 'box'>;

const NODE_TYPES = { box: NodeBox };

/** The whole graph is shown, but no node larger than its text. */
const FIT = { maxZoom: 1, padding: 0.2 };

/** The nodes of a run and what they wait for. It is drawn again whenever the run moves. */
export default function RunGraph({ run }: { run: RunSnapshot }) {
  const [chosen, setChosen] = useState<string>();
  const [flow, setFlow] = useState<ReactFlowInstance<Box, Edge>>();
  useFit(flow);
  const { nodes, edges } = useMemo(() => toFlow(run), [run]);
  const node = run.nodes.find(({ id }) => id === chosen);
  return (
    <>
      <div className="h-96 overflow-hidden rounded-lg border bg-surface">
        <ReactFlow<Box, Edge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          fitView
          fitViewOptions={FIT}
          onInit={setFlow}
          minZoom={0.1}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          preventScrolling={false}
          zoomOnScroll={false}
          proOptions={{ hideAttribution: true }}
          onNodeClick={(_event, { id }) => setChosen(id)}
          onSelectionChange={({ nodes: selected }) => selected[0] && setChosen(selected[0].id)}
        >
          <Background color="var(--line)" />
          <Controls showInteractive={false} className="run-graph-controls" />
        </ReactFlow>
      </div>
      {node && <Chosen node={node} />}
    </>
  );
}

/** Shows the whole graph again when the window has another size, such as a phone that was turned. */
function useFit(flow: ReactFlowInstance<Box, Edge> | undefined): void {
  useEffect(() => {
    if (!flow) return;
    const fit = () => void requestAnimationFrame(() => void flow.fitView(FIT));
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, [flow]);
}

function toFlow({ nodes: all }: RunSnapshot): { nodes: Box[]; edges: Edge[] } {
  const { nodes, edges } = toGraph(all);
  const running = new Set(nodes.filter(({ node }) => node.status === 'running').map(({ node }) => node.id));
  return {
    nodes: nodes.map((graph) => ({
      id: graph.node.id,
      type: 'box',
      position: { x: graph.column * COLUMN_PX, y: graph.row * ROW_PX },
      data: { graph },
      ariaLabel: `${graph.node.id}: ${graph.node.status}`,
    })),
    edges: edges.map(({ from, to }) => ({ id: `${from} ${to}`, source: from, target: to, animated: running.has(to) })),
  };
}

const BORDERS: Readonly<Record<string, string>> = {
  succeeded: 'border-l-good',
  failed: 'border-l-bad',
  waiting: 'border-l-warn',
  running: 'border-l-accent',
};

function NodeBox({ data: { graph }, selected }: NodeProps<Box>) {
  const { node, parts } = graph;
  return (
    <div
      className={classes(
        'w-60 rounded-md border border-l-4 bg-surface px-3 py-2 text-left shadow-sm',
        BORDERS[node.status],
        selected && 'outline-2 outline-accent',
      )}
    >
      <Handle type="target" position={Position.Left} className="run-graph-handle" />
      <div className="flex items-center justify-between gap-2">
        <span className="truncate font-medium" title={node.id}>
          {node.id}
        </span>
        <Status value={node.status} />
      </div>
      <code className="mt-1 block truncate font-mono text-xs text-soft" title={node.type}>
        {parts ? `${node.type} ${parts.ended}/${parts.total}` : node.type}
      </code>
      <Handle type="source" position={Position.Right} className="run-graph-handle" />
    </div>
  );
}

function Chosen({ node }: { node: RunNode }) {
  return (
    <Card title={node.id} aside={<Status value={node.status} />}>
      {node.error ? (
        <p className="text-bad">{node.error.message}</p>
      ) : node.output === undefined ? (
        <p className="text-soft">This node has no output yet.</p>
      ) : (
        <Json value={node.output} label="output" />
      )}
    </Card>
  );
}
