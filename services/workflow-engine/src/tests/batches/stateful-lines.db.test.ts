// Lines of batches that refer to stored responses, items and conversations.
import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { fromBatchId, lineHoldId } from '../../domain/batches/batch-ids.js';
import { awaitBatch, readAnswers, startBatchFrom } from '../../testing/batch-client.js';
import { cuttableLink } from '../../testing/cuttable-link.js';
import { customerToken, OTHER_CUSTOMER, type TestEngine } from '../../testing/engine-fixture.js';
import { HISTORY_KEY } from '../../testing/fake-inference.js';
import { until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };
const ENDPOINT = '/v1/responses';
const CONVERSATION = `conv_${'1'.repeat(32)}`;

const { database, peers } = usePeers(import.meta.url);

beforeEach(() => {
  peers.inference.history = (id, call) =>
    call.requirePrincipal().customerId !== customerToken().customerId
      ? undefined
      : { resp_1: [toMessage('one'), toMessage('two')], msg_1: [toMessage('an item')], [CONVERSATION]: said }[id];
  said = [toMessage('said')];
});

/** Items of the conversation. */
let said: object[];

const toMessage = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const customer = (responseStorage: boolean, customerId?: string): Principal =>
  create(PrincipalSchema, { ...customerToken(customerId), responseStorage });
const start = () => peers.engine({ work, sandboxProvider: true });

/** Starts a batch of one line with these members. */
function startLine(engine: TestEngine, principal: Principal, members: object): Promise<string> {
  const body = { model: 'sandbox/echo-1', input: [toMessage('and?')], ...members };
  const line = JSON.stringify({ custom_id: 'one', method: 'POST', url: ENDPOINT, body });
  return startBatchFrom(engine, line, principal, ENDPOINT);
}

/** Runs a batch of one line, and returns its answer or its error. */
async function runLine(principal: Principal, members: object) {
  const engine = await start();
  const { output_file_id, error_file_id } = await awaitBatch(
    engine,
    await startLine(engine, principal, members),
    principal,
  );
  const [line] = await readAnswers(engine, output_file_id ?? error_file_id ?? null, principal);
  return { status: line!.response!.status_code, body: line!.response!.body as unknown };
}

const sent = () => peers.inference.calls.map(({ body, request: { storage } }) => ({ input: body.input, storage }));

describe('a line that refers to what is stored', () => {
  it('sends the items of the responses before, which the admission counts', async () => {
    expect(await runLine(customer(true), { previous_response_id: 'resp_1' })).toMatchObject({ status: 200 });
    const whole = [toMessage('one'), toMessage('two'), toMessage('and?')];
    const storage = { previousKey: HISTORY_KEY, historyItems: 2, conversationKey: '', isUnlisted: false };
    expect(sent()).toMatchObject([{ input: whole, storage }]);
    const [admitted] = peers.billing.admitted;
    await runLine(customer(true), {});
    expect(admitted!.req.inputTokensEstimate).toBeGreaterThan(peers.billing.admitted[1]!.req.inputTokensEstimate);
  });

  it('replaces items that its input names', async () => {
    const input = [{ type: 'item_reference', id: 'msg_1' }, toMessage('and?')];
    expect(await runLine(customer(true), { input })).toMatchObject({ status: 200 });
    expect(sent()[0]!.input).toEqual([toMessage('an item'), toMessage('and?')]);
  });

  it('adds to its conversation without storing the response with store: false', async () => {
    const members = { conversation: CONVERSATION, store: false };
    expect(await runLine(customer(true), members)).toMatchObject({ status: 200 });
    const storage = { conversationKey: HISTORY_KEY, historyItems: 1, isUnlisted: true };
    expect(sent()).toMatchObject([{ input: [toMessage('said'), toMessage('and?')], storage }]);
  });

  it('stores nothing of a continued response with store: false', async () => {
    await runLine(customer(true), { previous_response_id: 'resp_1', store: false });
    expect(sent()[0]!.storage).toBeUndefined();
  });

  it.each([
    [400, { previous_response_id: 'resp_2' }, 'previous_response_not_found'],
    [404, { conversation: `conv_${'2'.repeat(32)}` }, null],
    [404, { input: [{ type: 'item_reference', id: 'msg_2' }] }, null],
  ])('fails alone with %i and holds nothing when something does not exist', async (status, members, code) => {
    const failed = await runLine(customer(true), members);
    expect(failed).toMatchObject({ status, body: { error: { type: 'invalid_request_error' } } });
    expect(failed).toMatchObject(code ? { body: { error: { code } } } : {});
    expect([peers.billing.admitted, peers.inference.calls]).toEqual([[], []]);
  });

  it('fails when it names what is stored for another customer', async () => {
    const other = customer(true, OTHER_CUSTOMER);
    expect(await runLine(other, { previous_response_id: 'resp_1' })).toMatchObject({ status: 400 });
    expect(peers.inference.calls).toEqual([]);
  });
});

describe('a line of a project that stores nothing', () => {
  it.each([
    ['store', { store: true }],
    ['conversation', { conversation: CONVERSATION }],
  ])('fails when it needs storage (%s)', async (param, members) => {
    const refused = await runLine(customer(false), members);
    expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
    expect(peers.billing.admitted).toEqual([]);
  });
});

describe('a line that is resumed', () => {
  /** Starts a line whose engine loses the database as soon as the funds are held. Returns the id of its batch. */
  async function loseAdmitted(): Promise<{ id: string; end(): Promise<void> }> {
    const link = await cuttableLink(database.url);
    peers.billing.decide = () => {
      link.cut();
      return undefined;
    };
    const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
    const id = await startLine(first, customer(true), { conversation: CONVERSATION });
    await until(() => peers.billing.open.size > 0);
    peers.billing.decide = () => undefined;
    const end = async () => {
      await first.stop().catch(() => undefined);
      await link.close();
    };
    return { id, end };
  }
  const toHoldId = (id: string, attempt: number) => lineHoldId(fromBatchId(id)!, 1, attempt);

  it('holds the funds for what its conversation has become, and releases those of before', async () => {
    const { id, end } = await loseAdmitted();
    said = [toMessage('said '.repeat(1_000))];
    const engine = await start();
    expect(await awaitBatch(engine, id)).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
    const { holdId } = peers.inference.calls[0]!;
    const estimates = new Map(peers.billing.admitted.map(({ req }) => [req.holdId, req.inputTokensEstimate]));
    expect(estimates.get(holdId)).toBeGreaterThan(1_000n);
    expect(holdId).not.toBe(toHoldId(id, 1));
    expect(peers.billing.releases).toContain(toHoldId(id, 1));
    expect(peers.billing.open.size).toBe(0);
    await end();
  });

  it('releases its funds when its conversation has been deleted', async () => {
    const { id, end } = await loseAdmitted();
    peers.inference.history = () => undefined;
    const engine = await start();
    expect(await awaitBatch(engine, id)).toMatchObject({ status: 'completed', request_counts: { failed: 1 } });
    expect([peers.billing.releases, peers.billing.open.size]).toEqual([[toHoldId(id, 1)], 0]);
    await end();
  });
});
