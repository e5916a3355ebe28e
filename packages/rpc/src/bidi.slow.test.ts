// One suite over both transports of bidirectional calls.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type OpenSessionRequest, RealtimeService } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Client, GrpcNetwork, LocalNetwork, register, startCall, startRpcServer } from './index.js';

type Open = (requests: AsyncIterable<OpenSessionRequest>, call: Call) => AsyncIterable<Event>;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const transports: [string, (open: Open) => Promise<Client<typeof RealtimeService>>][] = [
  [
    'direct calls',
    async (openSession) => {
      const network = new LocalNetwork();
      network.register(register(RealtimeService, { openSession }));
      return network.client(RealtimeService);
    },
  ],
  [
    'gRPC',
    async (openSession) => {
      const registrations = [register(RealtimeService, { openSession })];
      const server = await startRpcServer({ port: 0, registrations, drainMs: 2_000 });
      const network = new GrpcNetwork({ addresses: { [RealtimeService.typeName]: server.address } });
      cleanUps.push(
        () => server.stop(),
        () => network.close(),
      );
      return network.client(RealtimeService);
    },
  ],
];

interface Event {
  item: { case: 'event'; value: Uint8Array };
}

function toEvent(text: string): Event {
  return { item: { case: 'event', value: Buffer.from(text) } };
}

function toText({ item }: { item: { case?: string | undefined; value?: unknown } }): string {
  return Buffer.from(item.value as Uint8Array).toString('utf8');
}

async function* send(...texts: string[]): AsyncGenerator<Event> {
  for (const text of texts) yield toEvent(text);
}

async function read(
  answers: AsyncIterable<{ item: { case?: string | undefined; value?: unknown } }>,
): Promise<string[]> {
  const texts: string[] = [];
  for await (const answer of answers) texts.push(toText(answer));
  return texts;
}

describe.each(transports)('bidirectional calls over %s', (_, start) => {
  it('carries items in both directions, in order, until both have ended', async () => {
    const client = await start(async function* (requests) {
      for await (const request of requests) yield toEvent(`got ${toText(request)}`);
      yield toEvent('end');
    });
    const texts = Array.from({ length: 500 }, (_item, index) => `${index}`);
    const answers = await read(client.openSession(send(...texts), startCall()));
    expect(answers).toEqual([...texts.map((text) => `got ${text}`), 'end']);
  });

  it('answers before the requests end', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const client = await start(async function* (requests) {
      for await (const request of requests) yield toEvent(`got ${toText(request)}`);
    });
    async function* talk() {
      yield toEvent('one');
      await gate;
      yield toEvent('two');
    }
    const answers = client.openSession(talk(), startCall())[Symbol.asyncIterator]();
    expect(toText((await answers.next()).value!)).toBe('got one');
    release();
    expect(toText((await answers.next()).value!)).toBe('got two');
    expect(await answers.next()).toMatchObject({ done: true });
  });

  it('reads requests not far ahead of a slow callee', async () => {
    let taken = 0;
    let sent = 0;
    const client = await start(async function* (requests, call) {
      for await (const _request of requests) {
        taken++;
        if (!call.isAborted) await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        break;
      }
      yield toEvent('never');
    });
    async function* flood() {
      for (; sent < 10_000; sent++) yield { item: { case: 'event', value: new Uint8Array(10_000) } } as const;
    }
    await expect(read(client.openSession(flood(), startCall({ timeoutMs: 1_000 })))).rejects.toMatchObject({
      code: 'RELAY_TIMEOUT',
    });
    expect(taken).toBe(1);
    expect(sent).toBeLessThan(1_000);
  });

  it('ends the requests and abort the callee when the caller leaves', async () => {
    let aborted: Promise<void> | undefined;
    let hasEnded = false;
    const client = await start(async function* (_requests, call) {
      aborted = new Promise((resolve) => call.onAbort(resolve));
      yield toEvent('hello');
      await aborted;
    });
    async function* forever() {
      try {
        for (;;) {
          yield toEvent('x');
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        hasEnded = true;
      }
    }
    for await (const _answer of client.openSession(forever(), startCall())) break;
    await aborted;
    for (let i = 0; i < 100 && !hasEnded; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    // Over direct calls, nothing has read the requests: they never began.
    expect(hasEnded || start === transports[0]![1]).toBe(true);
  });

  it('reports the error of the callee', async () => {
    const client = await start(async function* (requests) {
      for await (const _request of requests) throw new AppError('PAYMENT_REQUIRED', 'no funds');
      yield toEvent('never');
    });
    await expect(read(client.openSession(send('x'), startCall()))).rejects.toMatchObject({
      code: 'PAYMENT_REQUIRED',
      message: 'no funds',
    });
  });
});
