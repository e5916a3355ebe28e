import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import { waitUntil } from '@tollgate/testkit';
import { fixture } from '../../testing/fixtures.js';
import { ask, InferenceSystem } from '../../testing/inference-system.js';
import { ownConnection } from '../../testing/own-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let own: UpstreamServer;
let installation: UpstreamServer;
let system: InferenceSystem;

const customer = createMessage(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, projectId: 'p', customerId: 'c' });
const prefer = { modelId: 'two-routes', ownConnections: OwnConnections.PREFER };
const only = { modelId: 'two-routes', ownConnections: OwnConnections.ONLY };

const write = (vendor: string, name: string, status: number) => (res: ServerResponse) => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(fixture(vendor, name));
};
const answer = write('anthropic', 'message-text.json', 200);
const refuse = write('anthropic', 'error-auth.json', 401);
const fail = write('anthropic', 'error-overloaded.json', 529);

beforeAll(async () => {
  own = await startUpstreamServer(answer);
  installation = await startUpstreamServer(write('openai', 'chat-text.json', 200));
});
afterAll(async () => {
  await Promise.all([own.stop(), installation.stop()]);
});

beforeEach(async () => {
  own.handler = answer;
  own.requests.length = 0;
  installation.requests.length = 0;
  system = await InferenceSystem.start({ OPENAI_BASE_URL: installation.baseUrl, CIRCUIT_FAILURES_MAX: '2' });
  system.ledger.ownConnections = [ownConnection(own.baseUrl)];
});
afterEach(() => system.stop());

const settlement = () => system.ledger.settled.at(-1)!;
const attempts = () => settlement().facts!.attempts.map((a) => [a.connection, a.isOwn, a.outcome]);

describe('a request that prefers the connection of its project', () => {
  it('asks it with its key and headers, and reports its cost as the project’s own', async () => {
    await system.answer(ask('hi'), prefer);
    expect(installation.requests).toEqual([]);
    expect(own.requests).toMatchObject([{ body: { model: 'mine' }, headers: { 'x-team': 'blue' } }]);
    expect(own.requests[0]!.headers.authorization).toBe('Bearer sk-secret');
    expect(attempts()).toEqual([['mine', true, 'answered']]);
    const { providerMicrocents, ownProviderMicrocents, inputTokens, outputTokens } = settlement().usage!;
    expect(providerMicrocents).toBe(0n);
    expect(ownProviderMicrocents).toBe(inputTokens * 15n + outputTokens * 60n);
  });

  it('falls back to the installation, whose cost is the owner’s', async () => {
    own.handler = refuse;
    await system.answer(ask('hi'), prefer);
    expect(attempts()).toEqual([
      ['mine', true, 'failed'],
      ['openai', false, 'answered'],
    ]);
    const { providerMicrocents, ownProviderMicrocents } = settlement().usage!;
    expect([providerMicrocents! > 0n, ownProviderMicrocents]).toEqual([true, 0n]);
  });

  it('asks the installation first while the connection fails', async () => {
    own.handler = fail;
    for (let i = 0; i < 4; i++) await system.answer(ask('hi'), prefer);
    expect(own.requests).toHaveLength(2);
    expect(installation.requests).toHaveLength(4);
  });

  it('uses the installation while the connections cannot be read', async () => {
    system.ledger.connectionFailure = new AppError('SERVICE_UNAVAILABLE', 'no key for their secrets', {
      retryable: false,
    });
    await system.answer(ask('hi'), prefer);
    expect(attempts()).toEqual([['openai', false, 'answered']]);
  });

  it('uses the installation if the connection was deleted', async () => {
    system.ledger.ownConnections = [];
    await system.answer(ask('hi'), prefer);
    expect(attempts()).toEqual([['openai', false, 'answered']]);
  });
});

describe('a request for the connection of its project only', () => {
  it('hides the connection from customers when its key is refused, and names it to the owner', async () => {
    own.handler = refuse;
    await expect(system.answer(ask('hi'), { ...only, principal: customer })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'the model is not available at present',
    });
    await expect(system.answer(ask('hi'), only)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      message: 'mine answered with an error',
    });
    expect(installation.requests).toEqual([]);
    expect(attempts()).toEqual([['mine', true, 'failed']]);
  });

  it('releases its hold if the connections cannot be read', async () => {
    system.ledger.connectionFailure = new AppError('SERVICE_UNAVAILABLE', 'no key for their secrets', {
      retryable: false,
    });
    await expect(system.answer(ask('hi'), { ...only, requestId: 'unread' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(installation.requests).toEqual([]);
    expect(system.ledger.findRelease('unread')).toBeDefined();
  });

  it('releases its hold if no connection is left', async () => {
    system.ledger.ownConnections = [];
    await expect(system.answer(ask('hi'), { ...only, requestId: 'gone' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'model two-routes is not available at present',
    });
    expect(system.ledger.findRelease('gone')).toBeDefined();
  });

  it('leaves no provider cost in doubt when the connection breaks', async () => {
    own.handler = (res) => void res.destroy();
    await expect(system.answer(ask('hi'), only)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(settlement()).toMatchObject({ isInDoubt: false, unansweredCalls: 0 });
  });
});

describe('the connections of a project', () => {
  it('reads them once for requests that follow each other', async () => {
    for (let i = 0; i < 3; i++) await system.answer(ask('hi'), only);
    expect(system.ledger.connectionReads).toBe(1);
  });

  it('reads them again when none serves the model that was admitted', async () => {
    const [connection] = system.ledger.ownConnections;
    system.ledger.ownConnections = [];
    await expect(system.answer(ask('hi'), only)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    system.ledger.ownConnections = [connection!];
    await waitUntil(() => system.answer(ask('hi'), only).catch(() => undefined), { what: 'the new connection' });
  });

  it('uses none for a request whose admission does not cover them', async () => {
    await system.answer(ask('hi'), { modelId: 'two-routes' });
    expect([own.requests.length, system.ledger.connectionReads]).toEqual([0, 0]);
  });

  it('gives no connection the identity of the machine', async () => {
    const entry = { wire: 'gemini', base_url: own.baseUrl, preset: undefined, auth: { type: 'google' }, keys: [] };
    system.ledger.ownConnections = [{ ...ownConnection(own.baseUrl, { entry }), secretsJson: '' }];
    await expect(system.answer(ask('hi'), only)).rejects.toMatchObject({
      message: 'model two-routes is not available at present',
    });
  });

  it('skips a connection that cannot be used', async () => {
    system.ledger.ownConnections.unshift(ownConnection(own.baseUrl, { id: 'c0', name: 'bad', entry: { preset: 'x' } }));
    await system.answer(ask('hi'), only);
    expect(attempts()).toEqual([['mine', true, 'answered']]);
  });
});
