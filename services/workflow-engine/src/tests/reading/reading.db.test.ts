import { describe, expect, it } from '@jest/globals';
import { checkLog } from '../../testing/check-log.js';
import type { TestEngine } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, readLog, say, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const { database, peers } = usePeers(import.meta.url);

const nodes = ['a', 'b', 'c'].map((id) => say(id, `${id} says something long enough for several pieces`));
const spec = { kind: 'workflow.v0', nodes };

/** Reads to the end, `pieces` events per call. Each call continues at the last position, on the next engine. */
async function readInPieces(engines: readonly TestEngine[], runId: string, pieces: number): Promise<string[]> {
  const lines: string[] = [];
  for (let turn = 0; ; turn++) {
    const { client } = engines[turn % engines.length]!;
    const read = await readLog(client, runId, { afterSeq: lines.length, limit: pieces });
    lines.push(...read);
    if (lines.at(-1)?.includes('"type":"run_completed"')) return lines;
  }
}

describe.each([
  ['with notifications', true],
  ['by polling alone', false],
])('readers %s', (_name, usesNotify) => {
  it('receives the same bytes of a run on another engine after any number of reconnects', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gateAfterFirst: promise });
    const writer = await peers.engine({ usesNotify });
    const reader = await peers.engine({ usesNotify, work: { slots: 1, pollMs: 200 } });
    const runId = await createRun(writer.client, spec);
    const readers = [
      readLog(reader.client, runId),
      readLog(writer.client, runId),
      readInPieces([reader], runId, 1),
      readInPieces([writer, reader], runId, 3),
    ];
    await until(() => peers.inference.calls.length === 3);
    open();
    const logs = await Promise.all(readers);
    await awaitEnd(writer.client, runId);
    const whole = await readLog(writer.client, runId, { wait: false });
    for (const log of logs) expect(log.join('\n')).toBe(whole.join('\n'));
    await checkLog(reader.client, runId);
  });
});

describe('a reader', () => {
  it('receives an event of another process without a poll', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const writer = await peers.engine({ work: { pollMs: 600_000 } });
    const reader = await peers.engine({ work: { pollMs: 600_000, slots: 1 } });
    const runId = await createRun(writer.client, { kind: 'workflow.v0', nodes: [say('a', 'x')] });
    await until(() => peers.inference.calls.length === 1);
    const log = readLog(reader.client, runId);
    open();
    expect((await log).at(-1)).toContain('run_completed');
  });

  it('receives events after its LISTEN connection was cut', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const writer = await peers.engine({ work: { pollMs: 600_000 } });
    const reader = await peers.engine({ work: { pollMs: 600_000, slots: 1 } });
    const runId = await createRun(writer.client, { kind: 'workflow.v0', nodes: [say('a', 'x')] });
    const log = readLog(reader.client, runId);
    await until(() => peers.inference.calls.length === 1);
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 || ' wake-ups'",
      [database.schema],
    );
    open();
    expect((await log).at(-1)).toContain('run_completed');
  });
});
