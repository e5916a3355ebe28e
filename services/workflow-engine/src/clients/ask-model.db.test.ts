import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, GrpcNetwork, LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { freePort } from '@tollgate/runtime/free-port';
import { createLedger } from '@tollgate/spending';
import { secretKey } from '../testing/engine-fixture.js';
import { FakeBilling } from '../testing/fake-billing.js';
import { FakeInference } from '../testing/fake-inference.js';
import { until } from '../testing/run-client.js';
import { askModel, type ModelClients } from './ask-model.js';

const request = {
  model: 'fake/echo',
  input: [{ type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }],
};

let billing: FakeBilling;
let inference: FakeInference;
let clients: ModelClients;

beforeEach(() => {
  const network = new LocalNetwork();
  billing = new FakeBilling();
  inference = new FakeInference(network);
  network.register(billing.registration(), billing.holds(), inference.registration());
  clients = {
    ledger: createLedger({
      billing: network.client(BillingService),
      holds: network.client(HoldService),
      logger: silentLogger,
    }),
    inference: network.client(InferenceService),
    catalog: loadCatalog({ sandbox: true }),
  };
});

const startTestCall = (signal?: AbortSignal): Call => startCall({ principal: secretKey(), timeoutMs: 5_000, signal });

async function expectReleased(): Promise<void> {
  const [admission] = billing.admitted;
  await until(() => billing.open.size === 0 && billing.released.size === 1);
  expect(billing.released).toEqual(new Set([admission?.req.holdId]));
  expect(inference.calls).toEqual([]);
}

describe('askModel', () => {
  it("returns the answer's text; its hold is settled", async () => {
    expect(await askModel(clients, request, startTestCall())).toBe('hello');
    expect(billing.open.size).toBe(0);
    expect(billing.settled.size).toBe(1);
  });

  it("releases the hold when Admit's answer is lost", async () => {
    billing.decide = ({ holdId }) => {
      billing.open.add(holdId);
      return new AppError('SERVICE_UNAVAILABLE', 'the answer was lost');
    };
    await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expectReleased();
  });

  it('releases the hold when Generate is not delivered', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const network = new GrpcNetwork({ addresses: { [InferenceService.typeName]: address } });
    try {
      clients = { ...clients, inference: network.client(InferenceService) };
      await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await expectReleased();
    } finally {
      await network.close();
    }
  });

  it('releases the hold when the caller leaves before the call is sent', async () => {
    const left = new AbortController();
    billing.decide = () => {
      left.abort(new AppError('RELAY_TIMEOUT', 'the caller has disconnected'));
      return undefined;
    };
    await expect(askModel(clients, request, startTestCall(left.signal))).rejects.toMatchObject({
      code: 'RELAY_TIMEOUT',
    });
    await expectReleased();
  });

  it('releases a hold whose admission arrives after its release', async () => {
    let late: string | undefined;
    billing.decide = ({ holdId }) => {
      late = holdId;
      return new AppError('RELAY_TIMEOUT', 'too late');
    };
    await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    await until(() => billing.released.has(late!));
    await expectReleased();
  });

  it('charges the customer nothing for a call whose answer is lost', async () => {
    inference.reply = () => ({ error: new AppError('SERVICE_UNAVAILABLE', 'the stream broke') });
    await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const [admission] = billing.admitted;
    expect(billing.superseded).toEqual(new Set([admission?.req.holdId]));
    expect(billing.released.size).toBe(0);
  });

  it('keeps the charge of a call that failed for a known reason', async () => {
    inference.reply = () => ({ error: new AppError('PROVIDER_ERROR', 'the provider failed') });
    await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(billing.superseded.size).toBe(0);
    expect(billing.released.size).toBe(0);
  });

  it.each(['WALLET_EMPTY', 'TIER_ALLOWANCE_EXHAUSTED'])('refuses with %s and dispatches nothing', async (code) => {
    billing.decide = () => ({ code, message: 'refused' });
    await expect(askModel(clients, request, startTestCall())).rejects.toMatchObject({ code, status: 402 });
    expect(inference.calls).toEqual([]);
  });
});
