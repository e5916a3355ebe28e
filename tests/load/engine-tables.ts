import { type ChainResult, dbosLoad } from './durable-steps.js';
import { startEngineHarness } from './engine.js';
import { recoveryAfterKill } from './engine-recovery.js';
import { BENCH_MODEL, startGateway } from './gateway.js';
import { onDurableDatabase, startUpstream } from './servers.js';
import { ms, table } from './table.js';

/** Tables about runs: steps compared with DBOS, readers, and recovery. */
export async function engineTables(durationMs: number): Promise<string> {
  const steps = await onDurableDatabase((url) => stepTables(url, durationMs));
  const paced = await startUpstream([]);
  const gateway = await startGateway(paced.baseUrl, true);
  try {
    const r = await recoveryAfterKill(gateway, BENCH_MODEL);
    const head = `kill -9 of the engine amid ${r.runs} model calls: serves again after | they continue after, p50 | at most`;
    return steps + table(head, [[r.servesAgainMs, r.goesOnP50Ms, r.goesOnMaxMs].map(ms).join(' | ')]);
  } finally {
    await gateway.stop();
    paced.stop();
  }
}

/** Measures our chains of durable steps and the peer's on one server, one after the other. */
async function stepTables(url: string, durationMs: number): Promise<string> {
  const sizes = [1, 32].map((clients) => ({ length: 20, clients, durationMs }));
  const peer = await dbosLoad(url, sizes);
  const engine = await startEngineHarness(url);
  try {
    const lines = peer.map((r, at) => stepLine('DBOS 5.3.0, empty steps', sizes[at]?.clients, r, r));
    for (const kind of ['transforms', 'model calls'] as const) {
      for (const [at, size] of sizes.entries()) {
        const name = `Tollgate, ${kind}`;
        console.error(`${name}, ${size.clients} at once`);
        lines.push(stepLine(name, size.clients, await engine.chains(kind, size), peer[at] as ChainResult));
      }
    }
    const r = await engine.readers();
    const readHead = `events/s to ${r.readers} readers of a run of ${r.events} events, live | stored`;
    return (
      table('chains of 20 steps, durable commits | at once | steps/s | × DBOS | per step p50 | p99', lines) +
      table(readHead, [`${Math.round(r.livePerSecond)} | ${Math.round(r.storedPerSecond)}`])
    );
  } finally {
    await engine.stop();
  }
}

function stepLine(name: string, clients: number | undefined, r: ChainResult, peer: ChainResult): string {
  const ratio = (r.stepsPerSecond / peer.stepsPerSecond).toFixed(2);
  return [name, clients, Math.round(r.stepsPerSecond), ratio, ms(r.p50Ms), ms(r.p99Ms)].join(' | ');
}
