import { apiClient, type Json, responsesBody, runBody, waitUntil } from '@tollgate/testkit';
import type { Gateway } from './gateway.js';
import { percentile } from './http-load.js';

const RUNS = 20;
const TIMEOUT_MS = 60_000;

export interface RecoveryResult {
  runs: number;
  /** From the kill to the first answer about a run. */
  servesAgainMs: number;
  /** From the kill until an interrupted step starts again. */
  goesOnP50Ms: number;
  goesOnMaxMs: number;
}

/** `kill -9` of the engine's process during the model calls of many runs, with the leases of production. */
export async function recoveryAfterKill(gateway: Gateway, model: string): Promise<RecoveryResult> {
  const [target] = gateway.targets(false);
  const pid = gateway.pids['workflow-engine'];
  if (!target || !pid) throw new Error('the engine has no process of its own');
  const { authorization = '' } = target.headers;
  const api = apiClient(`http://${target.host}:${target.port}/api/v1`, { authorization });
  const log = async (runId: string): Promise<Json[]> => (await api.ndjson(`/runs/${runId}/events?wait=false`)).all();
  try {
    const request = responsesBody('say 200 tokens, slow 50 ms', { model, max_output_tokens: 300 });
    const nodes = [{ id: 'a', type: 'llm.responses', input: { request, stream: true } }];
    const runIds: string[] = [];
    for (let count = 0; count < RUNS; count++) {
      const started = await api.post('/runs', runBody('', { nodes, outputs: [{ name: 'answer', from: 'a' }] }));
      if (started.status !== 200) throw new Error(started.text);
      runIds.push(started.body.run_id);
    }
    for (const runId of runIds) {
      await waitUntil(async () => countDeltas(await log(runId)) > 0, { what: 'a model call', timeoutMs: TIMEOUT_MS });
    }
    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    const since = () => performance.now() - killedAt;
    const answers = async () => (await api.get(`/runs/${runIds[0]}`)).status === 200;
    await waitUntil(answers, { what: 'the engine to serve again', timeoutMs: TIMEOUT_MS });
    const servesAgainMs = since();
    const wentOn = await Promise.all(
      runIds.map(async (runId) => {
        await waitUntil(async () => (await log(runId)).some(isReset), { what: 'the step', timeoutMs: TIMEOUT_MS });
        return since();
      }),
    );
    return { runs: RUNS, servesAgainMs, goesOnP50Ms: percentile(wentOn, 0.5), goesOnMaxMs: Math.max(...wentOn) };
  } finally {
    await api.close();
  }
}

function countDeltas(events: readonly Json[]): number {
  return events.filter(({ type }) => type === 'node_output_delta').length;
}

function isReset({ type, delta }: Json): boolean {
  return type === 'node_output_delta' && delta.kind === 'reset';
}
