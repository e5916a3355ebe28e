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
/** The picture is as high as its nodes, within these bounds. */
const HEIGHT_PX = { min: 200, max: 480 };
/** On narrow screens the graph runs down the page: side by side, its nodes would be too small to read. */
const NARROW = '(max-width: 640px)';

type Box = Node<{ graph: GraphNode; isDown: boolean }, 'box'>;

const NODE_TYPES = { box: NodeBox };

/** The whole graph is shown, but no node larger than its text. */
const FIT = { maxZoom: 1, padding: 0.2 };

/** The nodes of a run and what they wait for. It is drawn again whenever the run moves. */
export default function RunGraph({ run }: { run: RunSnapshot }) {
  const [chosen, setChosen] = useState<string>();
  const [flow, setFlow] = useState<ReactFlowInstance<Box, Edge>>();
  useFit(flow);
  const isDown = useIsNarrow();
  const { nodes, edges } = useMemo(() => toFlow(run, isDown), [run, isDown]);
  const height = Math.max(...nodes.map(({ position }) => position.y + ROW_PX)) + ROW_PX / 2;
  const node = run.nodes.find(({ id }) => id === chosen);
  return (
    <>
      <div
        className="overflow-hidden rounded-lg border bg-surface"
        style={{ height: Math.min(HEIGHT_PX.max, Math.max(HEIGHT_PX.min, height)) }}
      >
        <ReactFlow<Box, Edge>
          key={isDown ? 'down' : 'right'}
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

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const change = () => setNarrow(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isNarrow;
}

function toFlow({ nodes: all }: RunSnapshot, isDown: boolean): { nodes: Box[]; edges: Edge[] } {
  const { nodes, edges } = toGraph(all);
  const running = new Set(nodes.filter(({ node }) => node.status === 'running').map(({ node }) => node.id));
  return {
    nodes: nodes.map((graph) => ({
      id: graph.node.id,
      type: 'box',
      position: isDown
        ? { x: graph.row * COLUMN_PX, y: graph.column * ROW_PX }
        : { x: graph.column * COLUMN_PX, y: graph.row * ROW_PX },
      data: { graph, isDown },
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

function NodeBox({ data: { graph, isDown }, selected }: NodeProps<Box>) {
  const { node, parts } = graph;
  return (
    <div
      className={classes(
        'w-60 rounded-md border border-l-4 bg-surface px-3 py-2 text-left shadow-sm',
        BORDERS[node.status],
        selected && 'outline-2 outline-accent',
      )}
    >
      <Handle type="target" position={isDown ? Position.Top : Position.Left} className="run-graph-handle" />
      <div className="flex items-center justify-between gap-2">
        <span className="truncate font-medium" title={node.id}>
          {node.id}
        </span>
        <Status value={node.status} />
      </div>
      <code className="mt-1 block truncate font-mono text-xs text-soft" title={node.type}>
        {parts ? `${node.type} ${parts.ended}/${parts.total}` : node.type}
      </code>
      <Handle type="source" position={isDown ? Position.Bottom : Position.Right} className="run-graph-handle" />
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
