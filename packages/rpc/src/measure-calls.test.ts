import { beforeEach, expect, it } from '@jest/globals';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import { MetricsRegistry } from '@tollgate/metrics';
import { parseMetrics } from '@tollgate/testkit';
import {
  GrpcNetwork,
  LocalNetwork,
  measureCalls,
  type Network,
  type Registration,
  startCall,
  startRpcServer,
} from './index.js';

let registry: MetricsRegistry;
let measured: Registration[];
let listMessages: () => Promise<object>;

async function* generate({ modelId }: { modelId: string }) {
  yield { data: new Uint8Array([1]) };
  if (modelId === 'broken') throw new AppError('PROVIDER_ERROR', 'no provider');
  yield { data: new Uint8Array([2]) };
}

beforeEach(() => {
  registry = new MetricsRegistry();
  listMessages = async () => ({});
  const handlers = { listMessages: () => listMessages() };
  measured = measureCalls(
    [
      { service: MessagingService, handlers },
      { service: InferenceService, handlers: { generate } },
    ],
    registry.forService('messaging'),
  );
});

/** The counted calls as `method code`. */
async function counted(): Promise<Record<string, number>> {
  const families = parseMetrics(await registry.scrape());
  const { samples = [] } = families.tollgate_rpc_requests_total ?? {};
  const timed = families.tollgate_rpc_request_duration_seconds?.samples.filter(({ name }) => name.endsWith('_count'));
  expect(timed?.map(({ labels, value }) => ({ labels, value }))).toEqual(
    samples.map(({ labels, value }) => ({ labels, value })),
  );
  return Object.fromEntries(samples.map(({ labels, value }) => [`${labels.method} ${labels.code}`, value]));
}

async function useAll(network: Network): Promise<void> {
  const messaging = network.client(MessagingService);
  await messaging.listMessages({}, startCall());
  await messaging.listMessages({}, startCall());
  listMessages = () => Promise.reject(new AppError('NOT_FOUND', 'no such mailbox'));
  await expect(messaging.listMessages({}, startCall())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  listMessages = () => Promise.reject(new TypeError('bug'));
  await expect(messaging.listMessages({}, startCall())).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  const inference = network.client(InferenceService);
  const read = async (modelId: string) => {
    const data: number[] = [];
    for await (const item of inference.generate({ modelId }, startCall())) data.push(...item.data);
    return data;
  };
  expect(await read('good')).toEqual([1, 2]);
  await expect(read('broken')).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
}

const expected = {
  'MessagingService/ListMessages OK': 2,
  'MessagingService/ListMessages NOT_FOUND': 1,
  'MessagingService/ListMessages INTERNAL_ERROR': 1,
  'InferenceService/Generate OK': 1,
  'InferenceService/Generate PROVIDER_ERROR': 1,
};

it('counts and times calls in one process by method and code', async () => {
  const network = new LocalNetwork();
  network.register(...measured);
  await useAll(network);
  expect(await counted()).toEqual(expected);
});

it.each([
  ['ordinary calls', new Set<string>()],
  [
    'lanes',
    new Set([
      '/tollgate.messaging.v1.MessagingService/ListMessages',
      '/tollgate.inference.v1.InferenceService/Generate',
    ]),
  ],
])('counts and times gRPC calls by method and code: %s', async (_how, hot) => {
  const server = await startRpcServer({ port: 0, registrations: measured });
  const { address } = server;
  const addresses = { 'tollgate.messaging.v1': address, 'tollgate.inference.v1': address };
  const network = new GrpcNetwork({ addresses, hot });
  try {
    await useAll(network);
    expect(await counted()).toEqual(expected);
  } finally {
    await network.close();
    await server.stop();
  }
});

it('counts a stream that its reader leaves', async () => {
  const network = new LocalNetwork();
  network.register(...measured);
  for await (const _item of network.client(InferenceService).generate({ modelId: 'good' }, startCall())) break;
  expect(await counted()).toEqual({ 'InferenceService/Generate CANCELED': 1 });
});
