import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { limits } from '../../domain/limits.js';
import { loadOutputs } from '../../store/artifacts.js';
import { mayHaveMore, readEvents } from '../../store/runs/run-events.js';
import { callAs } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, getSnapshot, readLog, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

// Limits of a run. The tests write counts close to a limit into the run's rows.

const { database, peers, engine } = useEngine(import.meta.url);

const chain = (more: object = {}) => ({
  kind: 'workflow.v0',
  nodes: [say('a', 'a', more), say('b', '{{x}}', { bindings: [{ from: 'a', pointer: TEXT, to_placeholder: 'x' }] })],
});

it('fails the node whose output exceeds the stored values of a run', async () => {
  const { promise, open } = gate();
  peers.inference.reply = ({ prompt }) => (prompt === 'a' ? { text: 'b' } : { gate: promise });
  const runId = await createRun(engine.client, chain());
  await until(() => peers.inference.calls.length === 2);
  await database.pool.query('UPDATE run_artifacts SET bytes = $2 WHERE run_id = $1', [runId, limits.runArtifactsBytes]);
  // A process that writes artifacts also writes the run's row.
  await database.pool.query('UPDATE runs SET last_seq = last_seq WHERE run_id = $1', [runId]);
  open();
  const run = await awaitEnd(engine.client, runId);
  expect(run).toMatchObject({ status: 'failed', error: { code: 'PAYLOAD_TOO_LARGE' } });
  expect(run.nodes.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

it('fails a node whose inputs together are too large', async () => {
  const runId = randomUUID();
  const insert = `INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
                  SELECT $1, id, 'node_output.v0', 10, '', to_json(id)::text, now() FROM unnest($2::text[]) AS id`;
  await database.pool.query(insert, [runId, ['a', 'b', 'c']]);
  const load = (ids: string[], maxBytes: number) => loadOutputs(database.pool, runId, ids, maxBytes);
  expect(await load(['a', 'c'], 20)).toEqual({
    ok: true,
    value: new Map([
      ['a', 'a'],
      ['c', 'c'],
    ]),
  });
  expect(await load(['a', 'b', 'c'], 29)).toMatchObject({ ok: false, failure: { code: 'PAYLOAD_TOO_LARGE' } });
  expect(await load(['ghost'], 1)).toEqual({ ok: true, value: new Map() });
});

it('splits large events into several pages without a gap', async () => {
  peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
  const runId = await createRun(engine.client, chain());
  await until(() => peers.inference.calls.length === 1);
  const insert = `INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
                  SELECT $1, last_seq + i, now(), 'node_output_delta', 'a',
                         '{"delta":{"kind":"text","text_delta":"' || repeat('x', 900000) || '"}}'
                  FROM runs, generate_series(1, 12) i WHERE run_id = $1`;
  await database.pool.query(insert, [runId]);
  await database.pool.query('UPDATE runs SET last_seq = last_seq + 12 WHERE run_id = $1', [runId]);
  const page = await readEvents(database.pool, runId, 0, 500);
  expect(page.length).toBeLessThan(10);
  expect(mayHaveMore(page, 500)).toBe(true);
  expect(mayHaveMore(await readEvents(database.pool, runId, 10, 500), 500)).toBe(true);
  expect(mayHaveMore(await readEvents(database.pool, runId, 12, 500), 500)).toBe(false);
  const log = await readLog(engine.client, runId, { wait: false });
  expect(log.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  await engine.client.cancelRun({ runId }, callAs());
});

it('starts no step at the event limit, and still emits the end', async () => {
  peers.inference.reply = () => ({ toolCalls: [{ id: 't', name: 'ask', arguments: '{}' }] });
  const runId = await createRun(engine.client, chain({ tool_execution: { mode: 'client' } }));
  await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
  await database.pool.query('UPDATE runs SET last_seq = $2 WHERE run_id = $1', [runId, limits.runEvents]);
  const { pending } = await engine.client.listPendingTools({ runId }, callAs());
  const { nodeId, step, holdId } = pending[0]!;
  const results = [{ toolCallId: 't', name: 'ask', output: '1' }];
  await engine.client.submitToolResults({ runId, nodeId, step, holdId, results }, callAs());
  expect(await awaitEnd(engine.client, runId)).toMatchObject({
    status: 'failed',
    error: { code: 'PAYLOAD_TOO_LARGE' },
  });
  expect(peers.inference.calls).toHaveLength(1);
});

it('fails a fan-out that exceeds the node limit', async () => {
  const fan = (id: string) => {
    const subnode = { type: 'transform.json', input: { from: 'item' } };
    return { id, type: 'map.fanout', input: { items: { from_input: 'list' }, subnode } };
  };
  const spec = { kind: 'workflow.v1', inputs: [{ name: 'list', type: 'array' }], nodes: ['a', 'b', 'c'].map(fan) };
  const input = { list: Array.from({ length: limits.fanoutItems }, (_, n) => n) };
  const run = await awaitEnd(engine.client, await createRun(engine.client, spec, undefined, { input }));
  expect(run).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT' } });
  expect(run.nodes.length).toBeLessThanOrEqual(limits.runNodes);
});
