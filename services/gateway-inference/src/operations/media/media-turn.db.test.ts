import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AudioTask, CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { type Client, startCall } from '@tollgate/rpc';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import { until } from '../../testing/condition.js';
import { collect, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer } from '../../testing/upstream-server.js';

let fake: FakeProvider;
let system: InferenceSystem;
let client: Client<typeof CompatService>;
let holds = 0;

beforeAll(async () => {
  fake = await startFakeProvider();
  system = await InferenceSystem.start({
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_API_KEY: 'k',
    SETTLE_WAIT: '300ms',
    SETTLE_RETRY_FOR: '1s',
  });
  client = system.network.client(CompatService);
});

afterAll(async () => {
  await system.stop();
  await fake.stop();
});

let holdId: string;

beforeEach(() => {
  holdId = `b0000000-0000-4000-8000-${String(++holds).padStart(12, '0')}`;
});

afterEach(() => fake.always({}));

function admitted(modelId: string) {
  return { holdId, modelId, modelName: modelId, inputUnits: 100n, outputUnits: 0n };
}

function toBody(body: object): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}

function embed(input: unknown, modelId = 'sandbox/embed-1', call = system.call()) {
  return client.createEmbeddings({ admission: admitted(modelId), body: toBody({ model: modelId, input }) }, call);
}

function speak(input: string, modelId = 'sandbox/speech-1', call = system.call()) {
  const body = toBody({ model: modelId, input, voice: 'alloy' });
  return client.createSpeech({ admission: admitted(modelId), body }, call);
}

const settled = () => system.ledger.findSettlement(holdId);

describe('an implausible figure', () => {
  it.each([
    [1e15, 2n, true],
    // The hold covers 100 units.
    [1_225, 2n, true],
    [1_224, 1_224n, false],
  ])('charges %d reported tokens of embeddings as %d', async (counted, charged, isEstimated) => {
    const upstream = await startUpstreamServer((res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ data: [], model: 'embed-1', usage: { prompt_tokens: counted } }));
    });
    const other = await InferenceSystem.start({ OPENAI_BASE_URL: upstream.baseUrl });
    const compat = other.network.client(CompatService);
    const request = { admission: admitted('test/embed-1'), body: toBody({ model: 'test/embed-1', input: '12345678' }) };
    await compat.createEmbeddings(request, other.call());
    expect(other.ledger.findSettlement(holdId).usage).toMatchObject({ inputTokens: charged, estimated: isEstimated });
    await other.stop();
    await upstream.stop();
  });
});

describe('embeddings', () => {
  it.each(['sandbox/embed-1', 'test/embed-1'])(
    'settles embeddings of %s with their usage before it answers',
    async (id) => {
      const { contentType, body } = await embed(['one two', 'three'], id);
      const { data, model, usage } = JSON.parse(Buffer.from(body).toString());
      expect([contentType, data.length, model]).toEqual(['application/json', 2, id]);
      expect(settled()).toMatchObject({
        usage: { inputTokens: BigInt(usage.prompt_tokens), outputTokens: 0n },
        facts: { success: true, status: 200, modelId: id },
      });
    },
  );

  it('rejects a model without embeddings, and releases the hold', async () => {
    await expect(embed('x', 'sandbox/echo-1')).rejects.toMatchObject({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    expect(system.ledger.findRelease(holdId)).toMatchObject({ facts: { success: false, status: 400 } });
  });

  it.each([
    ['fail with 500', 'PROVIDER_ERROR', 500],
    ['fail with 402', 'UPSTREAM_PAYMENT_REQUIRED', 402],
    ['fail with timeout', 'PROVIDER_TIMEOUT', 504],
  ])('reports %j, and charges nothing', async (text, code, status) => {
    await expect(embed(text)).rejects.toMatchObject({ code });
    expect(settled()).toMatchObject({ facts: { success: false, status, errorCode: code }, isInDoubt: false });
    expect(settled().usage?.inputTokens).toBe(0n);
  });

  it('asks the next route when the first fails', async () => {
    fake.next({ status: 500 });
    await embed('x', 'test/embed-two-1');
    expect(fake.requests.slice(-2).map(({ body }) => body.model)).toEqual(['first', 'second']);
    expect(settled().facts).toMatchObject({ success: true, provider: 'openai' });
  });

  it('asks no other route when the request itself is refused', async () => {
    fake.next({ status: 400 });
    await expect(embed('x', 'test/embed-two-1')).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(fake.requests.at(-1)?.body.model).toBe('first');
  });

  it('cuts the provider and settles in doubt when the caller leaves', async () => {
    fake.always({ delayFirstTokenMs: 60_000 });
    const call = system.call();
    const asked = embed('x', 'test/embed-1', call);
    const outcome = expect(asked).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    await until('the provider is asked', () => fake.journal.entries().at(-1)?.outcome === 'open');
    call.abort(undefined);
    await outcome;
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === holdId));
    expect(settled()).toMatchObject({ isInDoubt: true, facts: { status: 499 } });
    await until('ended upstream', () => fake.journal.entries().at(-1)?.outcome === 'client_gone');
  });

  it('fails when the ledger does not acknowledge', async () => {
    system.ledger.failNext = 1_000;
    try {
      await expect(embed('x')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      system.ledger.failNext = 0;
    }
  });

  it('keeps the hold alive while the provider works', async () => {
    const asked = embed('wait 4000 ms');
    await until('progress', () => system.ledger.progress.some((req) => req.holdId === holdId), 10_000);
    await asked;
  });

  it('ends when the hold has expired', async () => {
    system.ledger.holdsAreOpen = false;
    try {
      await expect(embed('wait 60000 ms')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      system.ledger.holdsAreOpen = true;
    }
  });
});

describe('speech', () => {
  it('marks its last frame, and settles characters', async () => {
    const frames = await collect(speak('hello there', 'test/speech-1'));
    expect(Buffer.concat(frames.map(({ audio }) => audio)).toString()).toBe('mp3 of alloy: hello there');
    expect(frames.map(({ isLast }) => isLast)).toEqual([...Array(frames.length - 1).fill(false), true]);
    expect(frames[0]?.contentType).toBe('audio/mpeg');
    expect(settled()).toMatchObject({ usage: { inputTokens: 11n }, facts: { success: true, streaming: true } });
  });

  it('fails before its last frame when the ledger does not acknowledge', async () => {
    system.ledger.failNext = 1_000;
    const heard: Uint8Array[] = [];
    const read = async () => {
      for await (const { audio, isLast } of speak('hello there', 'test/speech-1')) {
        expect(isLast).toBe(false);
        heard.push(audio);
      }
    };
    try {
      await expect(read()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      system.ledger.failNext = 0;
    }
    expect(Buffer.concat(heard).toString()).not.toContain('there');
  });

  it('charges nothing when the provider fails before the first piece', async () => {
    await expect(collect(speak('fail with 500', 'test/speech-1'))).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(settled().usage?.inputTokens).toBe(0n);
  });

  it('ends in an error when the provider breaks off, and charges what was served', async () => {
    const heard: number[] = [];
    const read = async () => {
      for await (const { audio, isLast } of speak('cut after 3 tokens slow 20 ms', 'test/speech-1')) {
        expect(isLast).toBe(false);
        heard.push(audio.length);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(heard.length).toBeGreaterThan(0);
    expect(settled()).toMatchObject({ facts: { success: false } });
    expect(settled().usage?.inputTokens).toBeGreaterThan(0n);
  });

  it('cuts the provider when the reader leaves, and charges what was served', async () => {
    for await (const { audio } of speak('slow 20 ms of a long text that runs on and on', 'test/speech-1')) {
      expect(audio.length).toBeGreaterThan(0);
      break;
    }
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === holdId));
    expect(settled()).toMatchObject({ facts: { success: false, status: 499 }, isInDoubt: false });
    expect(settled().usage?.inputTokens).toBeGreaterThan(0n);
    await until('ended upstream', () => fake.journal.entries().at(-1)?.outcome === 'client_gone');
  });
});

describe('speech in events', () => {
  const speakInEvents = (input: string, modelId: string, call = system.call()) => {
    const body = toBody({ model: modelId, input, voice: 'alloy', stream_format: 'sse' });
    return client.createSpeech({ admission: admitted(modelId), body }, call);
  };
  const toEvent = ({ audio }: { audio: Uint8Array }) => JSON.parse(Buffer.from(audio).toString());

  it.each([
    ['test/speech-tokens-1', { input_tokens: 11, output_tokens: 7, total_tokens: 18 }],
    ['test/speech-1', undefined],
  ])('has the audio of %s, and its usage after the settlement', async (id, usage) => {
    const frames = await collect(speakInEvents('hello there', id));
    expect(frames[0]?.contentType).toBe('text/event-stream');
    expect(frames.map(({ isLast }) => isLast)).toEqual([...Array(frames.length - 1).fill(false), true]);
    const events = frames.map(toEvent);
    expect(events.at(-1)).toEqual({ type: 'speech.audio.done', ...(usage && { usage }) });
    const audio = events.slice(0, -1).map((event) => Buffer.from(event.audio, 'base64'));
    expect(Buffer.concat(audio).toString()).toBe('mp3 of alloy: hello there');
    expect(settled().usage).toMatchObject({ inputTokens: 11n, outputTokens: BigInt(usage?.output_tokens ?? 0) });
  });

  it('does not end when the ledger does not acknowledge', async () => {
    system.ledger.failNext = 1_000;
    const heard: string[] = [];
    const read = async () => {
      for await (const frame of speakInEvents('hello there', 'test/speech-tokens-1')) heard.push(toEvent(frame).type);
    };
    try {
      await expect(read()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      system.ledger.failNext = 0;
    }
    expect(heard).not.toContain('speech.audio.done');
  });

  it('ends in an error when the provider breaks off, and charges what was served', async () => {
    const read = collect(speakInEvents('cut after 3 tokens slow 20 ms', 'test/speech-tokens-1'));
    await expect(read).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(settled()).toMatchObject({ facts: { success: false }, usage: { estimated: true } });
    expect(settled().usage?.outputTokens).toBeGreaterThan(0n);
  });

  it('cuts the provider when the reader leaves, and charges what was served', async () => {
    for await (const frame of speakInEvents('slow 20 ms of a long text that runs on', 'test/speech-tokens-1')) {
      expect(toEvent(frame).type).toBe('speech.audio.delta');
      break;
    }
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === holdId));
    expect(settled()).toMatchObject({ facts: { success: false, status: 499 }, isInDoubt: false });
    expect(settled().usage?.outputTokens).toBeGreaterThan(0n);
    await until('ended upstream', () => fake.journal.entries().at(-1)?.outcome === 'client_gone');
  });
});

describe('transcripts in events', () => {
  const stream = (modelId: string, prompt = '') =>
    client.streamTranscript(
      {
        transcription: {
          admission: admitted(modelId),
          task: AudioTask.TRANSCRIBE,
          audio: new Uint8Array(2_500),
          filename: 'memo.wav',
          mimeType: 'audio/wav',
          fields: [
            { name: 'stream', value: 'true' },
            { name: 'prompt', value: prompt },
          ],
        },
      },
      system.call(),
    );
  const toEvent = ({ event }: { event: Uint8Array }) => JSON.parse(Buffer.from(event).toString());

  it.each([
    ['test/transcribe-tokens-1', { input_tokens: 30, output_tokens: 6 }],
    ['test/transcribe-1', { type: 'duration', seconds: 3 }],
    ['sandbox/transcribe-1', { type: 'duration', seconds: 1 }],
  ])('has the text of %s, and its usage after the settlement', async (id, usage) => {
    const frames = await collect(stream(id));
    expect(frames.map(({ isLast }) => isLast)).toEqual([...Array(frames.length - 1).fill(false), true]);
    const events = frames.map(toEvent);
    const text = events.slice(0, -1).map(({ delta }) => delta);
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: text.join(''), usage });
    const { inputTokens, outputTokens } = settled().usage!;
    const charged = 'seconds' in usage ? [usage.seconds, 0] : [usage.input_tokens, usage.output_tokens];
    expect([Number(inputTokens), Number(outputTokens)]).toEqual(charged);
    expect(settled().facts).toMatchObject({ success: true, streaming: true });
  });

  it('does not end when the ledger does not acknowledge', async () => {
    system.ledger.failNext = 1_000;
    const read: string[] = [];
    const readAll = async () => {
      for await (const frame of stream('test/transcribe-tokens-1')) read.push(toEvent(frame).type);
    };
    try {
      await expect(readAll()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      system.ledger.failNext = 0;
    }
    expect(read).not.toContain('transcript.text.done');
  });

  it('charges nothing when the provider fails before the first event', async () => {
    await expect(collect(stream('test/transcribe-tokens-1', 'fail with 500'))).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
    });
    expect(settled().usage?.inputTokens).toBe(0n);
  });

  it('ends in an error when the provider breaks off, and charges what was served', async () => {
    const read = collect(stream('test/transcribe-tokens-1', 'cut after 3 tokens slow 20 ms'));
    await expect(read).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(settled()).toMatchObject({ facts: { success: false }, usage: { estimated: true } });
    expect(settled().usage?.inputTokens).toBeGreaterThan(0n);
  });

  it('cuts the provider when the reader leaves, and charges what was served', async () => {
    for await (const frame of stream('test/transcribe-tokens-1', 'slow 50 ms')) {
      expect(toEvent(frame).type).toBe('transcript.text.delta');
      break;
    }
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === holdId));
    expect(settled()).toMatchObject({ facts: { success: false, status: 499 }, isInDoubt: false });
    expect(settled().usage?.inputTokens).toBeGreaterThan(0n);
    await until('ended upstream', () => fake.journal.entries().at(-1)?.outcome === 'client_gone');
  });
});

describe('transcripts', () => {
  const audio = new Uint8Array(2_500);
  const ask = (task: AudioTask, fields: [string, string][] = []) =>
    client.transcribeAudio(
      {
        admission: admitted('test/transcribe-1'),
        task,
        audio,
        filename: 'memo.wav',
        mimeType: 'audio/wav',
        fields: fields.map(([name, value]) => ({ name, value })),
      },
      system.call(),
    );

  it('settles seconds', async () => {
    const { body } = await ask(AudioTask.TRANSCRIBE, [['language', 'en']]);
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ text: 'Transcript of memo.wav' });
    expect(settled()).toMatchObject({ usage: { inputTokens: 3n }, facts: { success: true } });
    expect(fake.requests.at(-1)).toMatchObject({ endpoint: 'POST /audio/transcriptions', body: { language: 'en' } });
  });

  it('translates to English in the requested format', async () => {
    const { contentType, body } = await ask(AudioTask.TRANSLATE, [['response_format', 'text']]);
    expect([contentType, Buffer.from(body).toString()]).toEqual([
      'text/plain; charset=utf-8',
      'Translation of memo.wav\n',
    ]);
    expect(fake.requests.at(-1)?.endpoint).toBe('POST /audio/translations');
  });
});

describe('counting', () => {
  const count = (dialect: Dialect, body: object, model: string) =>
    client.countTokens({ dialect, body: toBody(body), model }, startCall());

  it('returns the count that is charged, in each dialect', async () => {
    const asked = { max_tokens: 5, messages: [{ role: 'user', content: 'hello there' }] };
    const { inputTokens } = await count(Dialect.ANTHROPIC_MESSAGES, asked, 'sandbox/echo-1');
    const answer = await system.answer(asked, { dialect: Dialect.ANTHROPIC_MESSAGES });
    expect(Number(inputTokens)).toBe(answer.usage.input_tokens);
    const responses = await count(Dialect.OPENAI_RESPONSES, { input: 'hello there' }, 'sandbox/echo-1');
    expect(responses.inputTokens).toBe(inputTokens);
  });

  it('rejects a model that is not in the catalog', async () => {
    await expect(count(Dialect.OPENAI_RESPONSES, { input: 'x' }, 'nope')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
