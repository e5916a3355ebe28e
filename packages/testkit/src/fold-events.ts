/** An event of a run's log as its readers parse it. */
export interface RunEvent {
  seq: number;
  ts: string;
  type: string;
  node_id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whichever payload the type has
  [field: string]: any;
}

/** A run as reconstructed from its log. */
export interface FoldedRun {
  status: string;
  planHash: string;
  error?: unknown;
  outputs?: unknown;
  nodes: Record<string, { status: string; startedAt?: string; endedAt?: string; error?: unknown; text: string }>;
}

/** Returns the state of the run after the whole log; the snapshot must be equal. */
export function foldEvents(events: readonly RunEvent[], nodeIds: readonly string[]): FoldedRun {
  const run: FoldedRun = { status: 'running', planHash: '', nodes: {} };
  for (const id of nodeIds) run.nodes[id] = { status: 'pending', text: '' };
  for (const event of events) {
    const node = event.node_id === undefined ? undefined : run.nodes[event.node_id];
    if (node) foldNode(node, event);
    else foldRun(run, event);
    for (const id of event.canceled_nodes ?? []) {
      run.nodes[id]!.status = 'canceled';
      run.nodes[id]!.endedAt = event.ts;
    }
  }
  if (run.status === 'running') run.status = isWaiting(run) ? 'waiting' : 'running';
  return run;
}

function foldNode(node: FoldedRun['nodes'][string], event: RunEvent): void {
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
      // A node that restarts while it waits for its client stops waiting.
      if (event.delta.attempt) node.status = 'running';
      node.text = event.delta.kind === 'reset' ? '' : node.text + event.delta.text_delta;
      return;
    case 'node_succeeded':
    case 'node_failed':
      node.status = event.type === 'node_failed' ? 'failed' : 'succeeded';
      node.endedAt = event.ts;
      if (event.error) node.error = event.error;
  }
}

function foldRun(run: FoldedRun, event: RunEvent): void {
  if (event.type === 'run_started') run.planHash = event.plan_hash;
  const ended = { run_completed: 'succeeded', run_failed: 'failed', run_canceled: 'canceled' }[event.type];
  if (!ended) return;
  run.status = ended;
  if (event.error) run.error = event.error;
  if (event.outputs) run.outputs = event.outputs;
  for (const node of Object.values(run.nodes)) {
    if (['succeeded', 'failed', 'canceled'].includes(node.status)) continue;
    node.status = 'canceled';
    node.endedAt = event.ts;
  }
}

/** A node that runs sub-nodes waits when they wait. */
function isWaiting(run: FoldedRun): boolean {
  const own = Object.entries(run.nodes).filter(([id]) => !Object.keys(run.nodes).some((it) => it.startsWith(`${id}.`)));
  const statuses = own.map(([, node]) => node.status);
  return statuses.includes('waiting') && !statuses.includes('running');
}
