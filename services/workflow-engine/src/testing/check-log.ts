import { timestampDate } from '@bufbuild/protobuf/wkt';
import { expect } from '@jest/globals';
import { runEventSchema } from '@tollgate/api/runs';
import type { RunSnapshot, WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Client } from '@tollgate/rpc';
import { foldEvents } from '@tollgate/testkit';
import { getSnapshot, type PublicEvent, parseJson, readEvents } from './run-client.js';

const TERMINAL = ['run_completed', 'run_failed', 'run_canceled'];

/**
 * Checks every promise of a run's log: seq 1..n, ascending times, legal order, one end, and the snapshot as its fold.
 */
export async function checkLog(client: Client<typeof WorkflowService>, runId: string): Promise<PublicEvent[]> {
  const events = await readEvents(client, runId, false);
  const run = await getSnapshot(client, runId);
  for (const event of events) expect(runEventSchema.safeParse(event).error).toBeUndefined();
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map((event) => event.ts)).toEqual(events.map((event) => event.ts).sort());
  expect(events.slice(0, 2).map((event) => event.type)).toEqual(['run_compiled', 'run_started']);
  const ends = events.filter((event) => TERMINAL.includes(event.type));
  expect(ends).toEqual(isOver(run) ? [events.at(-1)] : []);
  for (const { id } of run.nodes) checkNode(events.filter((event) => event.node_id === id));
  expect(toView(run)).toEqual(foldState(events, run));
  return events;
}

/** Checks that a node starts once, first, and ends at most once, last. */
function checkNode(events: readonly PublicEvent[]): void {
  if (events.length === 0) return;
  expect(events.filter((event) => event.type === 'node_started')).toEqual([events[0]]);
  const ends = events.filter((event) => ['node_succeeded', 'node_failed'].includes(event.type));
  if (ends.length > 0) expect(ends).toEqual([events.at(-1)]);
}

function foldState(events: readonly PublicEvent[], run: RunSnapshot) {
  const folded = foldEvents(
    events,
    run.nodes.map((node) => node.id),
  );
  const nodes = Object.entries(folded.nodes).map(([id, { text: _text, ...node }]) => ({ id, ...node }));
  return { ...folded, nodes };
}

function toView(run: RunSnapshot) {
  const nodes = run.nodes.map((node) => ({
    id: node.id,
    status: node.status,
    ...(node.startedAt && { startedAt: timestampDate(node.startedAt).toISOString() }),
    ...(node.endedAt && { endedAt: timestampDate(node.endedAt).toISOString() }),
    ...(node.error && { error: { code: node.error.code, message: node.error.message } }),
  }));
  return {
    status: run.status,
    planHash: run.planHash,
    ...(run.error && { error: { code: run.error.code, message: run.error.message } }),
    ...(run.outputsJson.length > 0 && { outputs: parseJson(run.outputsJson) }),
    nodes,
  };
}

function isOver(run: RunSnapshot): boolean {
  return ['succeeded', 'failed', 'canceled'].includes(run.status);
}
