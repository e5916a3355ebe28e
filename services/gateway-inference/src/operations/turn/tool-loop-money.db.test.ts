import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { toApiError } from '@tollgate/errors';
import { chatScript } from '../../testing/chat-script.js';
import { until } from '../../testing/condition.js';
import { ask, collect } from '../../testing/inference-system.js';
import { declare, ToolTurns, write } from '../../testing/tool-turns.js';

const turns = ToolTurns.forThisFile();

describe('money', () => {
  it.each([
    ['WALLET_EMPTY', 402],
    ['PROVIDER_ACCOUNT_UNFUNDED', 402],
  ])('ends the turn with the code of a refused extension (%s), and settles what was served', async (code, status) => {
    turns.plays({ calls: [write('a')], usage: [100, 20] });
    turns.system.ledger.refusal = code;
    const call = turns.system.call();
    await expect(collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call))).rejects.toMatchObject({
      code,
      status,
    });
    expect(turns.system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 100n, outputTokens: 20n },
      facts: { success: false, errorCode: code },
    });
    expect(turns.provider.requests).toHaveLength(1);
  });

  it.each([
    [undefined, 12_000],
    [create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, projectId: 'p', customerId: 'c' }), 24_000],
  ])(
    'reports usage and charge of what was served with a refused extension, plain and streamed',
    async (principal, charged) => {
      turns.plays({ calls: [write('a')], usage: [100, 20] });
      turns.system.ledger.refusal = 'WALLET_EMPTY';
      const options = { ...turns.mini, ...(principal && { principal }) };
      const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
      const failure = await turns.catchError(ask('go', declare('kv_write')), options);
      expect(toApiError(failure)).toMatchObject({ code: 'WALLET_EMPTY', usage, charged_microcents: charged });
      turns.plays({ calls: [write('a')], usage: [100, 20] });
      const events = await turns.events(ask('go', declare('kv_write')), options);
      expect(events.at(-1)).toMatchObject({ type: 'error', status: 402, usage, charged_microcents: charged });
    },
  );

  it('shows a customer the owner’s limit as a neutral 503, in a stream as its last event', async () => {
    turns.plays({ calls: [write('a')] });
    turns.system.ledger.refusal = 'PROVIDER_ACCOUNT_UNFUNDED';
    const principal = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, projectId: 'p', customerId: 'c' });
    expect(await turns.catchError(ask('go', declare('kv_write')), { ...turns.mini, principal })).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
    });
    const events = await turns.events(ask('go', declare('kv_write')), { ...turns.mini, principal });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'SERVICE_UNAVAILABLE', status: 503 });
  });

  it('charges the earlier calls when a further call fails at the provider', async () => {
    const first = chatScript({ calls: [write('a')], usage: [100, 20] });
    turns.provider.handler = (res, received, req) => {
      if (turns.provider.requests.length === 1) return first(res, received, req);
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end('{"error":{"message":"no"}}');
    };
    const call = turns.system.call();
    await expect(collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call))).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
    });
    expect(turns.system.ledger.findSettlement(call.requestId).usage).toMatchObject({
      inputTokens: 100n,
      outputTokens: 20n,
    });
  });
});

describe('a caller that leaves while a tool runs', () => {
  it('aborts the tool, makes no further model call, and settles what was served', async () => {
    turns.plays({ calls: [write('a')], usage: [100, 20] });
    let isAborted = false;
    let isRunning = false;
    turns.system.peers.hooks.set('pre_tool_use', (_req, call) => {
      isRunning = true;
      return new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => {
          isAborted = true;
          reject(new Error('left'));
        });
      });
    });
    const leaving = new AbortController();
    const call = turns.system.call({ signal: leaving.signal });
    const reading = collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call)).catch(() => 'failed');
    await until('the tool runs', () => isRunning);
    leaving.abort(new Error('left'));
    await expect(reading).resolves.toBe('failed');
    await until('settled', () => turns.system.ledger.settled.some((req) => req.holdId === call.requestId));
    expect(isAborted).toBe(true);
    expect(turns.system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 100n, outputTokens: 20n },
      isInDoubt: false,
      facts: { status: 499, success: false },
    });
    expect(turns.provider.requests).toHaveLength(1);
  });

  it('keeps the hold alive during a long tool call, with the usage so far', async () => {
    turns.plays({ calls: [write('a')], usage: [100, 20] }, { text: 'ok' });
    const call = turns.system.call();
    const reported = () => turns.system.ledger.progress.filter((req) => req.holdId === call.requestId);
    turns.system.peers.hooks.set('pre_tool_use', async () => {
      await until('progress', () => reported().length > 0);
      return { decision: 1 };
    });
    await collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call));
    expect(reported()[0]?.usage).toMatchObject({ inputTokens: 100n, outputTokens: 20n });
  });

  it('ends the turn when the hold expires while a tool runs', async () => {
    turns.plays({ calls: [write('a')] });
    turns.system.peers.hooks.set('pre_tool_use', (_req, call) => {
      turns.system.ledger.holdsAreOpen = false;
      return new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(new Error('cut')));
      });
    });
    expect(await turns.catchError(ask('go', declare('kv_write')))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    turns.system.ledger.holdsAreOpen = true;
  });
});
