import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunSnapshot, WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Client } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import { callAs } from './engine-fixture.js';

type WorkflowClient = Client<typeof WorkflowService>;

/** A run event as clients parse it. */
export interface PublicEvent {
  envelope_version: string;
  run_id: string;
  seq: number;
  ts: string;
  type: string;
  node_id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the payload depends on the type
  [field: string]: any;
}

export async function createRun(
  client: WorkflowClient,
  spec: object,
  principal?: Principal,
  more: { idempotencyKey?: string; modelOverride?: string; sessionId?: string; input?: object } = {},
): Promise<string> {
  const { input, ...rest } = more;
  const inputJson = input ? Buffer.from(JSON.stringify(input)) : new Uint8Array(0);
  const specJson = Buffer.from(JSON.stringify(spec));
  const created = await client.createRun({ specJson, inputJson, ...rest }, callAs(principal));
  return created.runId;
}

/** Reads the log as text, to its end (with `wait`) or to its current end. */
export async function readLog(
  client: WorkflowClient,
  runId: string,
  options: { afterSeq?: number; wait?: boolean; limit?: number; principal?: Principal } = {},
): Promise<string[]> {
  const { afterSeq = 0, wait = true, limit = 0, principal } = options;
  const lines: string[] = [];
  for await (const { events } of client.streamRunEvents({ runId, afterSeq, wait, limit }, callAs(principal))) {
    for (const event of events) lines.push(Buffer.from(event.data).toString('utf8'));
  }
  return lines;
}

export async function readEvents(client: WorkflowClient, runId: string, wait = true): Promise<PublicEvent[]> {
  return (await readLog(client, runId, { wait })).map((line) => JSON.parse(line) as PublicEvent);
}

export async function getSnapshot(client: WorkflowClient, runId: string, principal?: Principal): Promise<RunSnapshot> {
  const { run } = await client.getRun({ runId }, callAs(principal));
  if (!run) throw new Error('no snapshot');
  return run;
}

/** A run on a busy machine can outlast one StreamRunEvents call, which ends at its deadline without an error. */
const READS_MAX = 4;

/** Waits for the end of the run and returns its snapshot. */
export async function awaitEnd(client: WorkflowClient, runId: string): Promise<RunSnapshot> {
  for (let reads = 1; ; reads++) {
    await readLog(client, runId);
    const run = await getSnapshot(client, runId);
    if (run.status !== 'running' || reads === READS_MAX) return run;
  }
}

/** Waits until the condition is true. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = elapsed() + timeoutMs;
  while (!(await condition())) {
    if (elapsed() > deadline) throw new Error('the condition was not true in time');
    await sleep(5);
  }
}

export function gate(): { promise: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** Returns a model node whose model answers with its prompt. */
export function say(id: string, text: string, extra: object = {}) {
  const message = { type: 'message', role: 'user', content: [{ type: 'text', text }] };
  return { id, type: 'llm.responses', input: { request: { model: 'fake/echo', input: [message] }, ...extra } };
}

export const TEXT = '/output/0/content/0/text';
