import { describe, expect, it } from '@jest/globals';
import { Tollgate } from './client.js';
import {
  BASE_URL,
  brokenConnection,
  fakeGateway,
  fakeTiming,
  json,
  type Scripted,
  streamed,
} from './testing/fake-gateway.js';

const NDJSON = 'application/x-ndjson';
const line = (seq: number, type = 'node_started') => `${JSON.stringify({ seq, type, run_id: 'r' })}\n`;
const END = (seq: number) => line(seq, 'run_completed');
const broken = (...pieces: string[]) => streamed(pieces, NDJSON, new TypeError('terminated'));

async function followWith(script: Scripted[], options: { afterSeq?: number; projectId?: string } = {}) {
  const gateway = fakeGateway(...script);
  const timing = fakeTiming();
  const client = new Tollgate({ baseUrl: BASE_URL, fetch: gateway.fetch, timing });
  const seqs: number[] = [];
  let error: unknown;
  try {
    for await (const event of client.followRun('r', options)) seqs.push(event.seq);
  } catch (thrown) {
    error = thrown;
  }
  const asked = gateway.requests.map(({ url }) => url.searchParams.get('after_seq'));
  return { seqs, error, asked, timing, paths: gateway.requests.map(({ url }) => url.pathname) };
}

describe('followRun', () => {
  it('yields the events up to the end of the run', async () => {
    const { seqs, asked, paths } = await followWith([streamed([line(1), END(2), line(3)])]);
    expect(seqs).toEqual([1, 2]);
    expect(asked).toEqual(['0']);
    expect(paths).toEqual(['/api/v1/runs/r/events']);
  });

  it('continues behind the last event after a broken connection, and yields each event once', async () => {
    const script = [broken(line(4), line(5)), brokenConnection(), streamed([line(5), line(6)]), streamed([END(7)])];
    const { seqs, asked } = await followWith(script, { afterSeq: 3 });
    expect(seqs).toEqual([4, 5, 6, 7]);
    expect(asked).toEqual(['3', '5', '5', '6']);
  });

  it('reads a run through its project', async () => {
    const { paths } = await followWith([streamed([END(1)])], { projectId: 'p' });
    expect(paths).toEqual(['/api/v1/projects/p/runs/r/events']);
  });

  it('throws a refusal at once', async () => {
    const { error, asked } = await followWith([
      json({ error: 'api_error', code: 'NOT_FOUND', message: 'm', retryable: false }, 404),
    ]);
    expect(error).toMatchObject({ code: 'NOT_FOUND' });
    expect(asked).toHaveLength(1);
  });

  it('gives up after nine connections that bring nothing', async () => {
    const { error, asked, timing } = await followWith([() => Promise.reject(brokenConnection())]);
    expect(error).toMatchObject({ code: 'CONNECTION_ERROR' });
    expect(asked).toHaveLength(9);
    expect(timing.pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('waits as long as the service asks', async () => {
    const busy = new Response('', { status: 503, headers: { 'retry-after': '30' } });
    const { seqs, timing } = await followWith([busy, streamed([END(1)])]);
    expect(seqs).toEqual([1]);
    expect(timing.pauses).toEqual([30_000]);
  });

  it('follows a run for any time while connections last', async () => {
    const timing = fakeTiming();
    let opened = 0;
    const gateway = fakeGateway(() => {
      opened++;
      timing.skip(30_000);
      return streamed(opened <= 20 ? [] : [END(1)]);
    });
    const client = new Tollgate({ baseUrl: BASE_URL, fetch: gateway.fetch, timing });
    const types: string[] = [];
    for await (const { type } of client.followRun('r')) types.push(type);
    expect(types).toEqual(['run_completed']);
  });
});

describe('followResponse', () => {
  const event = (seq: number, type = 'response.output_text.delta') =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: seq })}\n\n`;
  const sse = (pieces: string[], failure?: Error) => streamed(pieces, 'text/event-stream', failure);

  it('resumes a background response behind its last event, to its end', async () => {
    const script = [
      sse([event(0), event(1)], new TypeError('terminated')),
      brokenConnection(),
      sse([event(1), event(2)]),
      sse([event(3, 'response.completed'), event(4)]),
    ];
    const gateway = fakeGateway(...script);
    const client = new Tollgate({ baseUrl: BASE_URL, fetch: gateway.fetch, timing: fakeTiming() });
    const seqs: unknown[] = [];
    for await (const { sequence_number: seq } of client.followResponse('resp_bg_1')) seqs.push(seq);
    expect(seqs).toEqual([0, 1, 2, 3]);
    const asked = gateway.requests.map(({ url }) => [url.pathname, url.search]);
    expect(asked.map(([path]) => path)).toEqual(Array(4).fill('/v1/responses/resp_bg_1'));
    expect(asked.map(([, query]) => query)).toEqual([
      '?stream=true',
      '?stream=true&starting_after=1',
      '?stream=true&starting_after=1',
      '?stream=true&starting_after=2',
    ]);
  });
});
