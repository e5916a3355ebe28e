// Responses that lost attempts of a batch's lines have stored.
import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { fromBatchId, lineHoldId } from '../../domain/batches/batch-ids.js';
import { awaitBatch, cancelBatch, startBatchFrom } from '../../testing/batch-client.js';
import { cuttableLink } from '../../testing/cuttable-link.js';
import { customerToken, type TestEngine } from '../../testing/engine-fixture.js';
import { gate, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };
const ENDPOINT = '/v1/responses';

const { database, peers } = usePeers(import.meta.url);

/** A customer of a project that stores responses, or does not. */
const customer = (responseStorage?: boolean): Principal =>
  create(PrincipalSchema, { ...customerToken(), ...(responseStorage !== undefined && { responseStorage }) });

/** Starts a batch of one request whose first attempt is lost while the model answers. Returns an engine that resumes it. */
async function loseFirstAttempt(
  principal: Principal,
): Promise<{ id: string; engine: TestEngine; end(): Promise<void> }> {
  const link = await cuttableLink(database.url);
  const { promise, open } = gate();
  peers.inference.reply = () => (peers.inference.calls.length === 1 ? { gate: promise } : {});
  const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
  const content = [{ type: 'input_text', text: 'hello' }];
  const body = { model: 'sandbox/echo-1', input: [{ type: 'message', role: 'user', content }] };
  const line = JSON.stringify({ custom_id: 'one', method: 'POST', url: ENDPOINT, body });
  const id = await startBatchFrom(first, line, principal, ENDPOINT);
  await until(() => peers.inference.calls.length === 1);
  link.cut();
  const engine = await peers.engine({ work, sandboxProvider: true });
  const end = async () => {
    open();
    await first.stop().catch(() => undefined);
    await link.close();
  };
  return { id, engine, end };
}

const toHoldId = (id: string) => lineHoldId(fromBatchId(id)!, 1, 1);

it('removes the response of a lost attempt before the next one is sent', async () => {
  const principal = customer(true);
  let discardedBefore: string[] = [];
  const { id, engine, end } = await loseFirstAttempt(principal);
  peers.inference.reply = () => {
    discardedBefore = [...peers.inference.discarded];
    return {};
  };
  expect(await awaitBatch(engine, id, principal)).toMatchObject({ status: 'completed' });
  expect(discardedBefore).toEqual([toHoldId(id)]);
  await end();
});

it('removes the response of a lost attempt of a canceled batch', async () => {
  const { id, engine, end } = await loseFirstAttempt(customer(true));
  await cancelBatch(engine, id);
  expect(await awaitBatch(engine, id)).toMatchObject({ status: 'cancelled' });
  expect(peers.inference.discarded).toEqual([toHoldId(id)]);
  await end();
});

it('waits with the next attempt until the response can be removed', async () => {
  const principal = customer(true);
  peers.inference.discardError = new AppError('SERVICE_UNAVAILABLE', 'the database is unavailable');
  const { id, engine, end } = await loseFirstAttempt(principal);
  await until(() => peers.inference.discardsRefused > 0);
  expect(peers.inference.calls).toHaveLength(1);
  peers.inference.discardError = undefined;
  expect(await awaitBatch(engine, id, principal)).toMatchObject({ status: 'completed' });
  expect(new Set(peers.inference.discarded)).toEqual(new Set([toHoldId(id)]));
  await end();
});

it.each([undefined, false])('asks for nothing when the project stores no responses (%s)', async (storage) => {
  const principal = customer(storage);
  const { id, engine, end } = await loseFirstAttempt(principal);
  expect(await awaitBatch(engine, id, principal)).toMatchObject({ status: 'completed' });
  expect(peers.inference.discarded).toEqual([]);
  await end();
});
