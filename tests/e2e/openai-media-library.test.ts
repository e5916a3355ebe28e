// Embeddings and audio, tested with OpenAI's unmodified client library; their costs are compared with the ledger.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI, { toFile } from 'openai';
import { countingOpenAi, openAiClient } from '../system/library-clients.js';
import { must, type TestCustomer, type TestProject } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const EMBED = { sandbox: 'sandbox/embed-1', upstream: 'test/embed-1' };
const SPEECH = { sandbox: 'sandbox/speech-1', upstream: 'test/speech-1' };
/** Models that are sold by tokens, whose events have their usage. */
const BY_TOKENS = { speech: 'test/speech-tokens-1', transcribe: 'test/transcribe-tokens-1' };
const TRANSCRIBE = { sandbox: 'sandbox/transcribe-1', upstream: 'test/transcribe-1' };
/** Price of the tier per million of the model's unit. */
const CENTS_PER_MILLION = 20_000;

const system = useSystem();
const project = useProject(system);
let client: OpenAI;

beforeAll(async () => {
  client = openAiClient(system, project.secretKey);
});

function buyer(options: Parameters<TestProject['customerOn']>[1] = {}): Promise<TestCustomer> {
  const sold = [EMBED, SPEECH, TRANSCRIBE].flatMap(({ sandbox, upstream }) => [sandbox, upstream]);
  const ids = [...sold, ...Object.values(BY_TOKENS)];
  const models = ids.map((model_id, index) => ({
    model_id,
    is_default: index === 0,
    input_price_per_million_cents: CENTS_PER_MILLION,
    output_price_per_million_cents: Object.values(BY_TOKENS).includes(model_id) ? CENTS_PER_MILLION : 0,
  }));
  return project.customerOn('free', { tier: { models }, ...options });
}

/** Units that the customer has been charged for. */
async function readUnits(customer: TestCustomer): Promise<number> {
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  return usage.total_cost_microcents / CENTS_PER_MILLION;
}

/** A WAV file with this many seconds of silence. */
function recording(seconds: number) {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + rate * seconds);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return toFile(bytes, 'memo.wav', { type: 'audio/wav' });
}

describe.each(Object.values(EMBED))('client.embeddings with %s', (model) => {
  it('embeds one text and many, equal ones equally', async () => {
    const { data, usage, model: named } = await client.embeddings.create({ model, input: ['one', 'two', 'one'] });
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
    expect([named, usage.total_tokens]).toEqual([model, usage.prompt_tokens]);
    const one = await client.embeddings.create({ model, input: 'one' });
    expect(one.data[0]?.embedding).toEqual(data[0]?.embedding);
  });

  it('returns the same vector as floats and base64, in the requested dimensions', async () => {
    const asked = { model, input: 'one two', dimensions: 6 };
    const floats = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    const decoded = await client.embeddings.create(asked);
    expect(decoded.data[0]?.embedding).toHaveLength(6);
    for (const [index, value] of floats.data[0]!.embedding.entries()) {
      expect(decoded.data[0]!.embedding[index]).toBeCloseTo(value, 5);
    }
  });

  it('accepts lists of tokens', async () => {
    expect((await client.embeddings.create({ model, input: [1, 2, 3] })).data).toHaveLength(1);
    expect((await client.embeddings.create({ model, input: [[1, 2], [3]] })).data).toHaveLength(2);
  });

  it('charges a customer for the reported tokens', async () => {
    const customer = await buyer();
    const { usage } = await openAiClient(system, customer.token).embeddings.create({ model, input: ['hello', 'you'] });
    expect(await readUnits(customer)).toBe(usage.prompt_tokens);
  });

  it.each([
    ['nothing', []],
    ['an empty text', ''],
    ['something else', [{}]],
  ])('refuses %s', async (_what, input) => {
    await expect(client.embeddings.create({ model, input: input as string })).rejects.toMatchObject({ status: 400 });
  });
});

describe.each(Object.values(SPEECH))('client.audio.speech with %s', (model) => {
  it('returns audio in the requested format, and charges by the character', async () => {
    const customer = await buyer();
    const mine = openAiClient(system, customer.token);
    const input = 'Grüße 👋';
    const spoken = await mine.audio.speech.create({ model, voice: 'alloy', input, response_format: 'wav' });
    expect(spoken.headers.get('content-type')).toBe('audio/wav');
    expect(spoken.headers.get('x-request-id')).toBeTruthy();
    expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(await readUnits(customer)).toBe([...input].length);
  });

  it('fails as a plain error before the first byte', async () => {
    const asked = client.audio.speech.create({ model, voice: 'alloy', input: 'fail with 500' });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.InternalServerError);
  });
});

describe('a stream of speech', () => {
  const speak = (mine: OpenAI, input: string) =>
    mine.audio.speech.create({ model: SPEECH.upstream, voice: 'alloy', input });

  it('fails the download when speech breaks off, and charges it', async () => {
    const customer = await buyer();
    const spoken = await speak(openAiClient(system, customer.token), 'cut after 3 tokens, slow 20 ms');
    await expect(spoken.arrayBuffer()).rejects.toThrow();
    expect(await readUnits(customer)).toBeGreaterThan(0);
  });

  it('ends speech at the provider and charges it when the listener leaves', async () => {
    const customer = await buyer();
    const spoken = await speak(openAiClient(system, customer.token), `slow 20 ms ${'and on '.repeat(100)}`);
    const reader = spoken.body!.getReader();
    await reader.read();
    await reader.cancel();
    await waitUntil(async () => (await readUnits(customer)) > 0, { what: 'the settlement' });
    expect(system.provider.journal.entries().at(-1)?.outcome).toBe('client_gone');
  });
});

describe.each(Object.values(TRANSCRIBE))('client.audio.transcriptions with %s', (model) => {
  it('transcribes a recording, and charges by the second', async () => {
    const customer = await buyer();
    const mine = openAiClient(system, customer.token);
    const { text, usage } = await mine.audio.transcriptions.create({ model, file: await recording(3) });
    expect(text).toContain('Transcript of memo.wav');
    expect(usage?.type).toBe('duration');
    expect(await readUnits(customer)).toBe(usage?.type === 'duration' ? usage.seconds : undefined);
  });

  it('returns transcriptions in the formats of the dialect, and translations into English', async () => {
    const file = await recording(1);
    const as = (response_format: 'text' | 'srt' | 'vtt') =>
      client.audio.transcriptions.create({ model, file, response_format }) as Promise<unknown>;
    expect(await as('text')).toContain('Transcript');
    expect(await as('srt')).toContain('00:00:00,000 -->');
    expect(await as('vtt')).toMatch(/^WEBVTT/);
    const verbose = await client.audio.transcriptions.create({ model, file, response_format: 'verbose_json' });
    expect(verbose).toMatchObject({ duration: expect.any(Number), segments: [expect.anything()] });
    const english = await client.audio.translations.create({ model, file });
    expect(english.text).toContain('Translation of memo.wav');
  });

  it.each([
    ['no file', undefined, {}],
    ['an empty file', 0, {}],
    ['a format of another kind', 1, { response_format: 'docx' }],
    ['a stream of subtitles', 1, { stream: true, response_format: 'srt' }],
    ['too warm', 1, { temperature: 2 }],
  ])('refuses %s', async (_what, seconds, more) => {
    const file = seconds === 0 ? await toFile(Buffer.alloc(0), 'memo.wav') : seconds && (await recording(seconds));
    const asked = client.audio.transcriptions.create({ model, file, ...more } as never);
    await expect(asked).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});

describe('speech in events', () => {
  async function readEvents(answer: Response) {
    const text = await answer.text();
    return text
      .split('\n\n')
      .filter((each) => each.startsWith('data: '))
      .map((each) => JSON.parse(each.slice('data: '.length)));
  }

  it.each([BY_TOKENS.speech, SPEECH.upstream, SPEECH.sandbox])(
    'has the same audio as the bytes of %s, and is charged once',
    async (model) => {
      const customer = await buyer();
      const mine = openAiClient(system, customer.token);
      const asked = { model, voice: 'alloy', input: 'Grüße 👋', response_format: 'wav' as const };
      const whole = Buffer.from(await (await mine.audio.speech.create(asked)).arrayBuffer());
      const charged = await readUnits(customer);
      const options = { headers: { 'Idempotency-Key': 'events' } };
      const speak = () => mine.audio.speech.create({ ...asked, stream_format: 'sse' }, options);
      const spoken = await speak();
      expect(spoken.headers.get('content-type')).toContain('text/event-stream');
      const events = await readEvents(spoken);
      const audio = events.filter(({ type }) => type === 'speech.audio.delta').map((event) => event.audio);
      expect(Buffer.concat(audio.map((each) => Buffer.from(each, 'base64')))).toEqual(whole);
      const { type, usage } = events.at(-1);
      expect(type).toBe('speech.audio.done');
      if (model === BY_TOKENS.speech) expect(usage.total_tokens).toBe(charged);
      expect(await readUnits(customer)).toBe(2 * charged);
      expect(await readEvents(await speak())).toEqual(events);
      expect(await readUnits(customer)).toBe(2 * charged);
    },
  );

  it('ends in an error of the dialect when speech breaks off, and charges it', async () => {
    const customer = await buyer();
    const input = 'cut after 3 tokens, slow 20 ms';
    const asked = { model: BY_TOKENS.speech, voice: 'alloy', input, stream_format: 'sse' as const };
    const events = await readEvents(await openAiClient(system, customer.token).audio.speech.create(asked));
    expect(events.at(-1)).toMatchObject({ error: { type: 'server_error' } });
    expect(await readUnits(customer)).toBeGreaterThan(0);
  });
});

describe('a transcript in events', () => {
  it.each([BY_TOKENS.transcribe, TRANSCRIBE.upstream, TRANSCRIBE.sandbox])(
    'reaches the library as a stream of %s, and is charged by its usage',
    async (model) => {
      const customer = await buyer();
      const mine = openAiClient(system, customer.token);
      const asked = { model, file: await recording(3), stream: true } as const;
      let text = '';
      let last: OpenAI.Audio.TranscriptionTextDoneEvent | undefined;
      for await (const event of await mine.audio.transcriptions.create(asked)) {
        if (event.type === 'transcript.text.delta') text += event.delta;
        if (event.type === 'transcript.text.done') last = event;
      }
      expect(text).toContain('Transcript of memo.wav');
      expect(last?.text).toBe(text);
      const usage = last?.usage as { total_tokens?: number; seconds?: number };
      expect(await readUnits(customer)).toBe(usage.total_tokens ?? usage.seconds);
    },
  );

  it('throws in the library when it breaks off, and is charged', async () => {
    const customer = await buyer();
    const prompt = 'cut after 3 tokens, slow 20 ms';
    const asked = { model: BY_TOKENS.transcribe, file: await recording(3), prompt, stream: true } as const;
    const stream = await openAiClient(system, customer.token).audio.transcriptions.create(asked);
    const read = async () => {
      for await (const event of stream) expect(event.type).toBe('transcript.text.delta');
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(await readUnits(customer)).toBeGreaterThan(0);
  });

  it('ends at the provider and is charged when the client leaves', async () => {
    const customer = await buyer();
    const asked = {
      model: BY_TOKENS.transcribe,
      file: await recording(3),
      prompt: 'slow 100 ms',
      stream: true,
    } as const;
    for await (const event of await openAiClient(system, customer.token).audio.transcriptions.create(asked)) {
      expect(event.type).toBe('transcript.text.delta');
      break;
    }
    await waitUntil(async () => (await readUnits(customer)) > 0, { what: 'the settlement' });
    await waitUntil(() => system.provider.journal.entries().at(-1)?.outcome === 'client_gone', { what: 'the cut' });
  });
});

describe('media requests', () => {
  it('requires an existing model that serves them', async () => {
    const ask = (model: string) => client.embeddings.create({ model, input: 'x' });
    await expect(ask('nope')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(ask(SPEECH.sandbox)).rejects.toMatchObject({ status: 400, code: 'MODEL_CAPABILITY_UNSUPPORTED' });
  });

  it('refuses a customer whose tier or allowance does not cover the request, without a retry', async () => {
    const outside = await project.customerOn('free');
    const asked = openAiClient(system, outside.token).embeddings.create({ model: EMBED.upstream, input: 'x' });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
    const poor = await buyer({ spendLimitCents: 0 });
    const { client: counted, statuses } = countingOpenAi(system, poor.token);
    const refused = counted.embeddings.create({ model: EMBED.upstream, input: 'x' });
    await expect(refused).rejects.toMatchObject({ status: 402, code: 'TIER_ALLOWANCE_EXHAUSTED' });
    expect(statuses).toEqual([402]);
  });

  it('leaves no open holds and no differences', async () => {
    const { open_holds, differences } = await project.verify();
    expect({ open_holds, differences }).toEqual({ open_holds: 0, differences: [] });
  });

  it('serves a request with an Idempotency-Key once, forms included', async () => {
    const customer = await buyer();
    const mine = openAiClient(system, customer.token);
    const headers = { 'Idempotency-Key': 'a-recording' };
    const transcribe = async (seconds: number) =>
      mine.audio.transcriptions.create({ model: TRANSCRIBE.upstream, file: await recording(seconds) }, { headers });
    const first = await transcribe(1);
    const charged = await readUnits(customer);
    expect(await transcribe(1)).toEqual({ ...first });
    await expect(transcribe(2)).rejects.toMatchObject({ status: 409 });
    const speak = async () => {
      const spoken = await mine.audio.speech.create(
        { model: SPEECH.sandbox, voice: 'alloy', input: 'hi' },
        { headers: { 'Idempotency-Key': 'a-speech' } },
      );
      return Buffer.from(await spoken.arrayBuffer());
    };
    expect(await speak()).toEqual(await speak());
    expect(await readUnits(customer)).toBe(charged + 2);
  });

  it('retries 429 and does not retry 402', async () => {
    const { client: counted, statuses } = countingOpenAi(system, project.secretKey);
    const ask = (input: string) => counted.embeddings.create({ model: EMBED.sandbox, input });
    await expect(ask('fail with 429')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('fail with 402')).rejects.toMatchObject({ status: 402 });
    expect(statuses).toEqual([429, 429, 429, 402]);
  });
});

describe('a decision', () => {
  it('uses structured output and charges the reported usage', async () => {
    const options = [
      { id: 'refund', description: 'Pay the customer back' },
      { id: 'escalate', description: 'Ask a person' },
    ];
    const customer = await project.customerOn('free');
    const answer = await customer.api.at('/v1').post('/decisions', { input: 'the parcel never came', options });
    const { decision, usage } = must(answer, 200);
    expect(decision).toEqual({ id: 'refund', confidence: expect.any(Number), reason: expect.any(String) });
    const { usage: paid } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(paid.total_cost_microcents).toBe(usage.input_tokens * 100 + usage.output_tokens * 300);
    const one = await project.api.at('/v1').post('/decisions', { input: 'x', options: options.slice(1) });
    expect([one.status, one.body.error.type, one.body.error.param]).toEqual([400, 'invalid_request_error', 'options']);
  });
});
