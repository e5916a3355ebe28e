import type { PublicEvent } from './run-client.js';

export interface FoldedRun {
  status: string;
  planHash: string;
  error?: unknown;
  outputs?: unknown;
  nodes: Record<string, { status: string; startedAt?: string; endedAt?: string; error?: unknown; text: string }>;
}

/** What a reader of the whole log knows of the run: the snapshot has to say the same. */
export function foldEvents(events: readonly PublicEvent[], nodeIds: readonly string[]): FoldedRun {
  const run: FoldedRun = { status: 'running', planHash: '', nodes: {} };
  for (const id of nodeIds) run.nodes[id] = { status: 'pending', text: '' };
  for (const event of events) {
    const node = event.node_id === undefined ? undefined : run.nodes[event.node_id];
    if (node) foldNode(node, event);
    else foldRun(run, event);
  }
  if (run.status === 'running') run.status = isWaiting(run) ? 'waiting' : 'running';
  return run;
}

function foldNode(node: FoldedRun['nodes'][string], event: PublicEvent): void {
  switch (event.type) {
    case 'node_started':
      node.status = 'running';
      node.startedAt = event.ts;
      return;
    case 'node_waiting':
      node.status = 'waiting';
      return;
    case 'node_tool_result':
      node.status = 'running';
      return;
    case 'node_output_delta':
      node.text = event.delta.kind === 'reset' ? '' : node.text + event.delta.text_delta;
      return;
    case 'node_succeeded':
    case 'node_failed':
      node.status = event.type === 'node_failed' ? 'failed' : 'succeeded';
      node.endedAt = event.ts;
      if (event.error) node.error = event.error;
  }
}

function foldRun(run: FoldedRun, event: PublicEvent): void {
  if (event.type === 'run_started') run.planHash = event.plan_hash;
  const ended = { run_completed: 'succeeded', run_failed: 'failed', run_canceled: 'canceled' }[event.type];
  if (!ended) return;
  run.status = ended;
  if (event.error) run.error = event.error;
  if (event.outputs) run.outputs = event.outputs;
  for (const node of Object.values(run.nodes)) {
    if (['succeeded', 'failed'].includes(node.status)) continue;
    node.status = 'canceled';
    node.endedAt = event.ts;
  }
}

function isWaiting(run: FoldedRun): boolean {
  const statuses = Object.values(run.nodes).map((node) => node.status);
  return statuses.includes('waiting') && !statuses.includes('running');
}
