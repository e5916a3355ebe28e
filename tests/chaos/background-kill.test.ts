// Services are killed while background responses run: each is completed, and paid once. The streams of some are resumed.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { ServiceName } from '@tollgate/local';
import { waitUntil } from '@tollgate/testkit';
import type OpenAI from 'openai';
import { countingOpenAi } from '../system/library-clients.js';
import { expectNothingLost, openHarness } from './harness.js';
import {
  backgroundRequest,
  expectResponsesCompleted,
  expectResponsesPaidOnce,
  POLL_MS,
  queueResponse,
  readResponses,
} from './loads/background-load.js';
import { useJournaledSystem } from './use-journaled-system.js';

const RESPONSES = 10;
const STREAMS = 4;
const END_MS = 120_000;
const KILLED: readonly ServiceName[] = ['workflow-engine', 'gateway-inference', 'edge-gateway', 'billing-ledger'];

type Response = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;

const { system, journalFile } = useJournaledSystem({
  env: {
    HOLD_TTL: '4s',
    HOLD_SWEEP_INTERVAL: '250ms',
    WORK_LEASE: '3s',
    WORK_HEARTBEAT: '1s',
    WORK_POLL: '250ms',
    RESPONSE_STORAGE: '1',
  },
});

it.each(KILLED)('completes and charges each background response once when %s is killed', async (name) => {
  const harness = await openHarness(system, journalFile);
  const { client } = countingOpenAi(system, harness.wallet.token, { maxRetries: 8 });
  const ids = await Promise.all(Array.from({ length: RESPONSES }, (_, i) => queueResponse(client, i)));
  await waitUntil(async () => (await readResponses(client, ids)).some(({ status }) => status === 'in_progress'), {
    what: 'the first call',
  });
  await system.kill(name);
  const ended = await expectResponsesCompleted(client, ids);
  await expectNothingLost(system, harness, []);
  await expectResponsesPaidOnce(system, harness.wallet.id, ended);
});

it.each(KILLED)('resumes the stream of each background response to its end when %s is killed', async (name) => {
  const harness = await openHarness(system, journalFile);
  const { client } = countingOpenAi(system, harness.wallet.token, { maxRetries: 8 });
  const streams: Event[][] = Array.from({ length: STREAMS }, () => []);
  const ends = Promise.all(streams.map((events, i) => follow(client, i, events)));
  await waitUntil(() => streams.every((events) => events.some(isText)), { what: 'text in all streams' });
  await system.kill(name);
  await ends;
  for (const events of streams) {
    expect(events.map(({ sequence_number: n }) => n)).toEqual(Array.from(events.keys()));
    expect(events.filter(isLast)).toEqual([events.at(-1)]);
  }
  const responses = streams.map((events) => (events.at(-1) as { response: Response }).response);
  expect(responses.map(({ status }) => status)).toEqual(streams.map(() => 'completed'));
  // The library puts the events together, with those of lost attempts.
  for (const { id, output } of responses) {
    const replayed = await client.responses.stream({ response_id: id }).finalResponse();
    expect(replayed).toMatchObject({ id, status: 'completed', output });
  }
  await expectNothingLost(system, harness, []);
  await expectResponsesPaidOnce(system, harness.wallet.id, responses);
});

const isText = ({ type }: Event) => type === 'response.output_text.delta';
const isLast = ({ type }: Event) => /^response\.(completed|incomplete|failed)$/.test(type);

/** Collects the events of a response to its end, and resumes behind the last one when its stream breaks. */
async function follow(client: OpenAI, index: number, events: Event[]): Promise<void> {
  const deadline = Date.now() + END_MS;
  let stream: AsyncIterable<Event> = await client.responses.create({ ...backgroundRequest(index), stream: true });
  while (Date.now() < deadline) {
    try {
      for await (const event of stream) events.push(event);
      if (events.some(isLast)) return;
    } catch {
      // The service that carried it was killed.
    }
    await sleep(POLL_MS);
    const { id } = (events[0] as { response: Response }).response;
    const query = { stream: true, starting_after: events.at(-1)!.sequence_number } as const;
    const resumed = await client.responses.retrieve(id, query).catch(() => undefined);
    if (resumed) stream = resumed;
  }
}
