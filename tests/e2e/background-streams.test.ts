// Streams of responses that are made in the background, with OpenAI's unmodified client library: on a model that is forwarded, on a
// translated one and on the sandbox.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { catchOpenAiError, openAiClient } from '../system/library-clients.js';
import { SANDBOX_MODEL } from '../system/start-system.js';
import { computeCost, useStoredState } from '../system/stored-state.js';

const FORWARDED = 'test/openai-1';
const TRANSLATED = 'test/anthropic-1';
const MODELS = [FORWARDED, TRANSLATED, SANDBOX_MODEL];
/** Takes about two seconds. */
const LONG = 'say 40 tokens, write 40 words, slow 50 ms';
const START = ['response.created', 'response.queued', 'response.in_progress'];

type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;

describe.each(['one process', 'separate processes'] as const)('streams of background responses in %s', (mode) => {
  const { state, customer, newCustomer, spent } = useStoredState(MODELS, mode);
  let client: OpenAI;
  beforeEach(() => {
    client = openAiClient(state.system, customer.token);
  });

  describe.each(MODELS)('of %s', (model) => {
    it('streams the response from its start to its end, charges it once, and replays it', async () => {
      const stream = await client.responses.create({ model, input: LONG, background: true, stream: true });
      const events = await collect(stream);
      expectWhole(events);
      const done = readLast(events);
      expect(done).toMatchObject({ status: 'completed', background: true, store: true, model });
      expect(readText(events)).toBe(readOutput(done));
      expect(readText(events)).not.toBe('');
      expect(await spent()).toBe(computeCost(done));
      expect(await client.responses.retrieve(done.id)).toMatchObject({ id: done.id, output: done.output });
      expect(await collect(await client.responses.retrieve(done.id, { stream: true }))).toEqual(events);
      const [first] = events.splice(0, 4);
      const query = { stream: true, starting_after: 3 } as const;
      expect(await collect(await client.responses.retrieve(done.id, query))).toEqual(events);
      expect(first).toMatchObject({ response: { status: 'queued', id: done.id } });
    });

    it('continues without its client, which resumes behind the last event that it has', async () => {
      const stream = await client.responses.create({ model, input: LONG, background: true, stream: true });
      const before: Event[] = [];
      for await (const event of stream) {
        before.push(event);
        if (before.filter(({ type }) => type === 'response.output_text.delta').length >= 2) break;
      }
      const { id } = (before[0] as { response: Response }).response;
      const query = { stream: true, starting_after: before.at(-1)!.sequence_number } as const;
      const after = await collect(await client.responses.retrieve(id, query));
      expectWhole([...before, ...after]);
      const done = readLast(after);
      expect(done).toMatchObject({ id, status: 'completed' });
      expect(readText([...before, ...after])).toBe(readOutput(done));
      expect(await spent()).toBe(computeCost(done));
    });
  });

  it('gives the helpers of the library the final response, also when they resume', async () => {
    const events: Event[] = [];
    const helper = client.responses.stream({ model: SANDBOX_MODEL, input: LONG, background: true });
    helper.on('event', (event) => events.push(event as Event));
    const final = await helper.finalResponse();
    expect(final.output_text).toBe(readText(events));
    const resumed: Event[] = [];
    const again = client.responses.stream({ response_id: final.id, starting_after: 5 });
    again.on('event', (event) => resumed.push(event as Event));
    expect(await again.finalResponse()).toMatchObject({ id: final.id, output_text: final.output_text });
    expect(resumed.map(({ sequence_number: n }) => n)).toEqual(events.slice(6).map(({ sequence_number: n }) => n));
  });

  it('ends the stream of a response that is canceled without an error', async () => {
    const input = 'say 400 tokens, write 400 words, slow 50 ms';
    const helper = client.responses.stream({ model: SANDBOX_MODEL, input, background: true });
    const events: Event[] = [];
    helper.on('event', (event) => events.push(event as Event));
    await waitUntil(() => events.some(({ type }) => type === 'response.output_text.delta'), { what: 'the first text' });
    const { id } = (events[0] as { response: Response }).response;
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect(await helper.finalResponse()).toMatchObject({ id, status: 'cancelled' });
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } });
    expectWhole(events);
  });

  it('ends the stream of a response that fails, and charges nothing', async () => {
    const request = { model: FORWARDED, input: 'fail with 400', background: true, stream: true } as const;
    const events = await collect(await client.responses.create(request));
    expect(readLast(events)).toMatchObject({ status: 'failed', error: { code: expect.any(String) } });
    expect(events.at(-1)!.type).toBe('response.failed');
    expect(await spent()).toBe(0);
  });

  it('refuses a response that was not created with a stream, and a position without a stream', async () => {
    const { id } = await client.responses.create({ model: SANDBOX_MODEL, input: 'hi', background: true });
    const plain = await client.responses.create({ model: SANDBOX_MODEL, input: 'hi' });
    for (const other of [id, plain.id]) {
      const refused = await catchOpenAiError(client.responses.retrieve(other, { stream: true }));
      expect(refused).toMatchObject({ status: 400, param: 'stream' });
    }
    for (const position of [-1, 1.5, 'x' as never]) {
      const refused = await catchOpenAiError(client.responses.retrieve(id, { stream: true, starting_after: position }));
      expect(refused).toMatchObject({ status: 400, param: 'starting_after' });
    }
    const unstreamed = await catchOpenAiError(client.responses.retrieve(id, { starting_after: 1 }));
    expect(unstreamed).toMatchObject({ status: 400, param: 'starting_after' });
  });

  it('shows a stream to its customer and its project alone, until it is deleted', async () => {
    const request = { model: SANDBOX_MODEL, input: 'hi', background: true, stream: true } as const;
    const events = await collect(await client.responses.create(request));
    const { id } = readLast(events);
    const stranger = openAiClient(state.system, (await newCustomer()).token);
    const foreign = openAiClient(state.system, (await state.system.project()).secretKey);
    for (const other of [stranger, foreign]) {
      const refused = await catchOpenAiError(other.responses.retrieve(id, { stream: true }));
      expect(refused).toBeInstanceOf(OpenAI.NotFoundError);
    }
    const owner = openAiClient(state.system, state.project.secretKey);
    expect(await collect(await owner.responses.retrieve(id, { stream: true }))).toEqual(events);
    await client.responses.delete(id);
    const deleted = await catchOpenAiError(client.responses.retrieve(id, { stream: true }));
    expect(deleted).toBeInstanceOf(OpenAI.NotFoundError);
  });
});

async function collect(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The events start as a queued response does, have no gap, and end once. */
function expectWhole(events: readonly Event[]): void {
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(START);
  expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, index) => index));
  const ends = events.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type));
  expect(ends).toEqual([events.at(-1)]);
}

const readLast = (events: readonly Event[]) => (events.at(-1) as { response: Response }).response;
const readText = (events: readonly Event[]) =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
const readOutput = ({ output }: Response) =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
