// Small random workflows, a client that answers their tool calls, and readers that connect and disconnect.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, functionTool, type Json, waitUntil } from '@tollgate/testkit';
import { must } from '../../system/start-system.js';
import { upstreamRequest } from '../harness.js';
import type { Random } from '../random.js';

const KINDS = ['say', 'say', 'kept by the service', 'asked of the client', 'fan', 'object', 'join.all'] as const;
const NODES_MAX = 6;
const TERMINAL = ['run_completed', 'run_failed', 'run_canceled'];
/** Time limit of one run under faults. */
const RUN_MS = 60_000;
const CLIENT_POLL_MS = 100;

/** Every node depends only on earlier nodes, so there is no cycle, and every node succeeds. */
export function randomWorkflow(random: Random): object {
  const count = 2 + random.below(NODES_MAX - 1);
  const nodes: object[] = [];
  const edges: object[] = [];
  for (let index = 0; index < count; index++) {
    const from = [...new Set(Array.from({ length: random.below(3) }, () => random.below(index)))];
    const upstream = index === 0 ? [] : from.map((it) => `n${it}`);
    const kind = random.pick(KINDS);
    nodes.push(buildNode(`n${index}`, kind, upstream));
    if (kind !== 'object' || upstream.length === 0)
      edges.push(...upstream.map((id) => ({ from: id, to: `n${index}` })));
  }
  return {
    kind: 'workflow.v1',
    name: 'storm',
    inputs: [{ name: 'list' }],
    nodes,
    edges,
    outputs: nodes.map((_, at) => ({ name: `n${at}`, from: `n${at}` })),
  };
}

/** Five parallel chains of nodes; every fourth node calls a tool of the client. */
export function longWorkflow(count: number): object {
  const lanes = 5;
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const nodes = ids.map((id, index) => buildNode(id, index % 4 === 3 ? 'asked of the client' : 'say', []));
  const edges = ids.slice(lanes).map((to, index) => ({ from: ids[index], to }));
  const outputs = ids.slice(-lanes).map((id) => ({ name: id, from: id }));
  return { kind: 'workflow.v1', name: 'long', inputs: [{ name: 'list' }], nodes, edges, outputs };
}

function buildNode(id: string, kind: (typeof KINDS)[number], upstream: readonly string[]): object {
  if (kind === 'kept by the service') {
    const request = buildRequest(`call tool kv_write with {"key":"${id}","value":"v"}`, ['kv_write']);
    return { id, type: 'llm.responses', input: { request } };
  }
  if (kind === 'asked of the client') {
    const request = buildRequest('call tool mine with {"a":1}', ['mine']);
    return { id, type: 'llm.responses', input: { request, tool_execution: { mode: 'client' } } };
  }
  if (kind === 'fan') {
    const subnode = { type: 'llm.responses', input: { request: buildRequest('say 6 tokens, slow 50 ms') } };
    return { id, type: 'map.fanout', input: { items: { from_input: 'list' }, subnode, max_parallelism: 2 } };
  }
  if (kind === 'object' && upstream.length > 0) {
    const object = Object.fromEntries(upstream.map((from) => [from, { from }]));
    return { id, type: 'transform.json', input: { object } };
  }
  if (kind === 'join.all' && upstream.length > 0) return { id, type: kind };
  return { id, type: 'llm.responses', input: { request: buildRequest('say 12 tokens, slow 60 ms'), stream: true } };
}

function buildRequest(text: string, tools: readonly string[] = []): object {
  return { ...upstreamRequest(text), ...(tools.length > 0 && { tools: tools.map((name) => functionTool(name)) }) };
}

/** Repeats the request until it is answered: the idempotency key ensures that there is one run. */
export async function startRun(payer: ApiClient, spec: object): Promise<string> {
  const options = { idempotency_key: randomUUID() };
  const answer = await waitUntil(
    async () => {
      const started = await payer.post('/runs', { spec, input: { list: [1, 2, 3] }, options });
      // Requests that fail as unavailable or too late are repeated; any other error fails the test.
      return started.status < 500 && started;
    },
    { what: 'a run to be started', timeoutMs: RUN_MS },
  );
  return must(answer, 200).run_id;
}

/** Answers the tool calls of the runs until it is stopped. Retries after errors and broken answers. */
export function startToolClient(payer: ApiClient, runIds: readonly string[]): { stop(): Promise<void> } {
  let isStopping = false;
  const work = async (): Promise<void> => {
    while (!isStopping) {
      for (const runId of runIds) await answerTools(payer, runId).catch(() => undefined);
      await sleep(CLIENT_POLL_MS);
    }
  };
  const working = work();
  return {
    stop: () => {
      isStopping = true;
      return working;
    },
  };
}

async function answerTools(payer: ApiClient, runId: string): Promise<void> {
  const { pending = [] } = (await payer.get(`/runs/${runId}/pending-tools`)).body ?? {};
  for (const { node_id, step, request_id, tool_calls } of pending) {
    const results = tool_calls.map(({ tool_call_id, name }: Json) => ({ tool_call_id, name, output: '"done"' }));
    await payer.post(`/runs/${runId}/tool-results`, { node_id, step, request_id, results });
  }
}

/** Reads the log's lines over connections that are closed after a random time. */
export async function readThroughBreaks(url: string, token: string, random: Random): Promise<string[]> {
  const lines: string[] = [];
  const deadline = performance.now() + RUN_MS;
  while (!isWhole(lines)) {
    if (performance.now() > deadline) throw new Error(`${url} did not end; its last line is ${lines.at(-1)}`);
    const signal = AbortSignal.timeout(100 + random.below(2_500));
    await readOn(
      `${url}?after_seq=${lines.length === 0 ? 0 : JSON.parse(lines.at(-1) ?? '').seq}`,
      token,
      signal,
      lines,
    )
      // Complete lines have been kept.
      .catch(() => sleep(20));
  }
  return lines;
}

async function readOn(url: string, token: string, signal: AbortSignal, lines: string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
  const answer = await fetch(url, { headers, signal });
  if (answer.status !== 200 || !answer.body) throw new Error(await answer.text());
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of answer.body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter((line) => line.trim() !== ''));
  }
}

function isWhole(lines: readonly string[]): boolean {
  const last = lines.at(-1);
  return last !== undefined && TERMINAL.includes(JSON.parse(last).type);
}
