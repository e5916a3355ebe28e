import { expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { waitUntil } from '@tollgate/testkit';
import { stepHoldId } from '../../domain/values/ids.js';
import { callAs } from '../../testing/engine-fixture.js';
import type { FakeReply } from '../../testing/fake-inference.js';
import { awaitEnd, createRun, gate, getSnapshot, readEvents, say, TEXT } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

const CHAIN = { kind: 'workflow.v0', nodes: [say('a', 'x'), say('b', 'y')], edges: [{ from: 'a', to: 'b' }] };

/** Starts a run in which the calls with the prompt x get these replies, in order; the last one repeats. */
function startRun(spec: object, ...replies: FakeReply[]): Promise<string> {
  peers.inference.reply = ({ prompt }) => {
    if (prompt !== 'x') return {};
    return (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
  };
  return createRun(engine.client, spec);
}

function countAdmissions(holdId: string): number {
  return peers.billing.admitted.filter(({ req }) => req.holdId === holdId).length;
}

it('requests the hold of the next call while the answer is being settled, and uses no answer before', async () => {
  const settlement = gate();
  const runId = await startRun(CHAIN, { settlementGate: settlement.promise });
  const next = stepHoldId(runId, 'b', 0, 1);
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the admission' });
  expect((await readEvents(engine.client, runId, false)).map(({ type }) => type)).not.toContain('node_succeeded');
  expect(peers.inference.calls).toHaveLength(1);
  settlement.open();
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  expect(countAdmissions(next)).toBe(1);
  expect(peers.billing.open.size).toBe(0);
});

it('makes a call again whose answer was not settled, and the next one under the hold that was requested', async () => {
  const settlementError = new AppError('SERVICE_UNAVAILABLE', 'the request could not be settled');
  const runId = await startRun(CHAIN, { settlementError }, {});
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  expect(peers.inference.calls.map(({ prompt }) => prompt)).toEqual(['x', 'x', 'y']);
  expect([...peers.billing.superseded]).toEqual([stepHoldId(runId, 'a', 0, 1)]);
  expect(peers.inference.calls.at(-1)?.holdId).toBe(stepHoldId(runId, 'b', 0, 1));
  expect(peers.billing.open.size).toBe(0);
});

it('requests a hold again that was refused before the settlement freed its funds', async () => {
  const settlement = gate();
  let isSettled = false;
  peers.billing.decide = ({ holdId }) => {
    const first = peers.billing.admitted[0]?.req.holdId;
    return holdId === first || isSettled ? undefined : { code: 'WALLET_EMPTY', message: 'no funds' };
  };
  const runId = await startRun(CHAIN, { settlementGate: settlement.promise });
  const next = stepHoldId(runId, 'b', 0, 1);
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the refusal' });
  isSettled = true;
  settlement.open();
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  const requests = peers.billing.admitted.filter(({ req }) => req.holdId === next);
  expect(requests.map(({ req }) => req.isTentative)).toEqual([true, false]);
});

it('fails the node whose hold is refused after the settlement too', async () => {
  peers.billing.decide = () =>
    peers.billing.admitted.length === 1 ? undefined : { code: 'WALLET_EMPTY', message: 'no funds' };
  const runId = await startRun(CHAIN, {});
  expect(await awaitEnd(engine.client, runId)).toMatchObject({ status: 'failed' });
  expect(peers.inference.calls).toHaveLength(1);
});

it('releases the hold of the next call when the run is canceled before the settlement', async () => {
  const settlement = gate();
  const runId = await startRun(CHAIN, { settlementGate: settlement.promise });
  const next = stepHoldId(runId, 'b', 0, 1);
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the admission' });
  await engine.client.cancelRun({ runId }, callAs());
  await waitUntil(() => peers.billing.released.has(next), { what: 'the release' });
  settlement.open();
});

it('requests no hold for a call that reads the answer', async () => {
  const settlement = gate();
  const reading = say('b', '{{x}}', { bindings: [{ from: 'a', pointer: TEXT, to_placeholder: 'x' }] });
  const edges = ['b', 'c'].map((to) => ({ from: 'a', to }));
  const nodes = [say('a', 'x'), reading, say('c', 'z')];
  const runId = await startRun({ kind: 'workflow.v0', nodes, edges }, { settlementGate: settlement.promise });
  await waitUntil(() => countAdmissions(stepHoldId(runId, 'c', 0, 1)) === 1, { what: 'the other admission' });
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(0);
  settlement.open();
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
});

it('requests no hold for a node behind one whose answer calls tools', async () => {
  const calls = [{ id: 't1', name: 'weather_at', arguments: '{}' }];
  const asking = say('a', 'x', { tool_execution: { mode: 'client' } });
  const runId = await startRun({ ...CHAIN, nodes: [asking, say('b', 'y')] }, { toolCalls: calls });
  await waitUntil(async () => (await getSnapshot(engine.client, runId)).status === 'waiting', { what: 'the wait' });
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(0);
});
