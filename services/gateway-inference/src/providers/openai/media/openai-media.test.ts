// Embeddings and audio against a real server that speaks the dialect.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestConnection } from '../../../testing/test-connection.js';
import { startUpstreamServer, type UpstreamServer } from '../../../testing/upstream-server.js';
import type { OpenConnection } from '../../connections/open-connection.js';
import type { MediaProvider, TranscriptionCall } from '../../contract/media-provider.js';

let server: UpstreamServer;
let vendor: OpenConnection;
let media: MediaProvider;

const shared = {
  requestId: 'r',
  accountId: 'a',
  holdId: 'h-1',
  upstreamModel: 'up-1',
  modelName: 'openai/mine',
  meteredIn: 'tokens' as const,
  signal: new AbortController().signal,
};

beforeAll(async () => {
  server = await startUpstreamServer((res) => res.end());
  vendor = openTestConnection({ preset: 'openai', base_url: server.baseUrl, keys: [{ secret: 'k-1' }] });
  media = vendor.media!;
});

afterAll(async () => {
  await vendor.models.close();
  await server.stop();
});

beforeEach(() => {
  server.requests.length = 0;
});

function answer(body: unknown, contentType = 'application/json', status = 200): void {
  server.handler = (res) => {
    res.writeHead(status, { 'content-type': contentType, 'x-request-id': 'up_1' });
    res.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

async function readAudio(audio: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of audio) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('moderation', () => {
  const result = { flagged: false, categories: {}, category_scores: {} };

  it('passes the answer through except for the model name, and charges the admitted units', async () => {
    answer({ id: 'modr-1', model: 'up-1-2030', results: [result] });
    const body = { input: [{ type: 'text', text: 'four' }] };
    const made = await media.moderate({ ...shared, meteredIn: 'characters', body, inputUnits: 4 });
    expect(server.requests[0]).toMatchObject({ path: '/v1/moderations', body: { model: 'up-1', ...body } });
    const answered = JSON.parse(Buffer.from(made.body).toString());
    expect(answered).toEqual({ id: 'modr-1', model: 'openai/mine', results: [result] });
    expect(made.usage).toEqual({ inputUnits: 4, outputUnits: 0, isEstimated: false });
  });

  it('fails for an answer without results', async () => {
    answer({ id: 'modr-1' });
    const asked = media.moderate({ ...shared, body: { input: 'x' }, inputUnits: 1 });
    await expect(asked).rejects.toMatchObject({ kind: 'invalid_response' });
  });
});

describe('embeddings', () => {
  const list = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], model: 'up-1' };

  it('passes embeddings through except for the model name, with the usage of the provider', async () => {
    answer({ ...list, usage: { prompt_tokens: 8, total_tokens: 8 } });
    const made = await media.embed({
      ...shared,
      body: { model: 'openai/mine', input: ['a'], dimensions: 1, user: 'u' },
    });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer k-1', 'x-client-request-id': 'h-1' },
      body: { model: 'up-1', input: ['a'], dimensions: 1, user: 'u' },
    });
    expect(JSON.parse(Buffer.from(made.body).toString())).toMatchObject({ model: 'openai/mine', data: list.data });
    expect(made.usage).toMatchObject({ inputUnits: 8, outputUnits: 0, isEstimated: false });
  });

  it.each([
    ['base64', [0.5, -2], 'AAAAPwAAAMA='],
    ['base64', 'AAAAPwAAAMA=', 'AAAAPwAAAMA='],
    ['float', 'AAAAPwAAAMA=', [0.5, -2]],
    [undefined, 'AAAAPwAAAMA=', [0.5, -2]],
    [null, [0.5, -2], [0.5, -2]],
  ])('answers in the encoding %j when the server sends %j', async (encoding, sent, expected) => {
    answer({ ...list, data: [{ object: 'embedding', index: 0, embedding: sent }] });
    const made = await media.embed({ ...shared, body: { input: 'a', encoding_format: encoding } });
    const body = JSON.parse(Buffer.from(made.body).toString());
    expect(body).toMatchObject({ model: 'openai/mine', data: [{ index: 0, embedding: expected }] });
  });

  it('charges a marked estimate without usage of the provider', async () => {
    answer(list);
    const made = await media.embed({ ...shared, body: { input: ['four', [1, 2, 3]] } });
    expect(made.usage).toMatchObject({ inputUnits: 4, outputUnits: 0, isEstimated: true });
  });

  it('fails as the provider does', async () => {
    answer({ error: { message: 'no', type: 'insufficient_quota' } }, 'application/json', 429);
    await expect(media.embed({ ...shared, body: { input: 'a' } })).rejects.toMatchObject({ kind: 'payment' });
    answer({ hello: 1 });
    await expect(media.embed({ ...shared, body: { input: 'a' } })).rejects.toMatchObject({ kind: 'invalid_response' });
  });
});

describe('speech', () => {
  const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
  const delta = (text: string) => event({ type: 'speech.audio.delta', audio: Buffer.from(text).toString('base64') });
  const done = event({ type: 'speech.audio.done', usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 } });
  const body = { model: 'openai/mine', input: 'héllo', voice: 'alloy' };

  it('extracts speech sold by tokens from events with usage', async () => {
    answer(delta('RIFF') + delta('…data') + done, 'text/event-stream');
    const { contentType, audio, usage } = await media.speak({ ...shared, body: { ...body, response_format: 'wav' } });
    expect(await readAudio(audio)).toBe('RIFF…data');
    expect(server.requests[0]?.body).toEqual({ ...body, response_format: 'wav', stream_format: 'sse', model: 'up-1' });
    expect([contentType, usage()]).toMatchObject(['audio/wav', { inputUnits: 3, outputUnits: 9, isEstimated: false }]);
  });

  it('passes speech sold by characters through', async () => {
    answer(Buffer.from('ID3'), 'audio/mpeg');
    const spoken = await media.speak({ ...shared, meteredIn: 'characters', body });
    expect(server.requests[0]?.body).not.toHaveProperty('stream_format');
    expect([spoken.contentType, await readAudio(spoken.audio)]).toEqual(['audio/mpeg', 'ID3']);
    expect(spoken.usage()).toMatchObject({ inputUnits: 5, outputUnits: 0, isEstimated: false });
  });

  it.each([
    ['breaks off', delta('RIFF'), { kind: 'transport' }],
    ['reports an error', delta('RIFF') + event({ error: { message: 'sorry', code: 503 } }), { status: 503 }],
    ['is not speech', 'data: nope\n\n', { kind: 'invalid_response' }],
  ])('fails speech that %s, after the audio before it', async (_what, stream, expected) => {
    answer(stream, 'text/event-stream');
    const { audio, usage } = await media.speak({ ...shared, body });
    const read = readAudio(audio);
    await expect(read).rejects.toMatchObject(expected);
    expect(usage().isEstimated).toBe(true);
  });

  it('cuts the provider when its reader leaves', async () => {
    server.handler = (res) => {
      res.writeHead(200, { 'content-type': 'audio/mpeg' });
      res.write(Buffer.alloc(1000));
    };
    const before = server.cuts;
    const { audio } = await media.speak({ ...shared, meteredIn: 'characters', body });
    for await (const chunk of audio) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    while (server.cuts === before) await new Promise((resolve) => setImmediate(resolve));
  });

  it('pauses a provider that is too fast for its reader', async () => {
    let sent = 0;
    server.handler = (res) => {
      res.writeHead(200, { 'content-type': 'audio/mpeg' });
      const more = (): void => {
        while (sent < 24 * 1024 * 1024) {
          sent += 64 * 1024;
          if (!res.write(Buffer.alloc(64 * 1024))) return void res.once('drain', more);
        }
        res.end();
      };
      more();
    };
    const { audio } = await media.speak({ ...shared, meteredIn: 'characters', body });
    let before = -1;
    while (sent === 0 || sent !== before) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sent).toBeLessThan(20 * 1024 * 1024);
    expect((await readAudio(audio)).length).toBe(24 * 1024 * 1024);
  });

  it('requests no events for speech sold by characters, even if the client asks for them', async () => {
    answer(Buffer.from('ID3'), 'audio/mpeg');
    await media.speak({ ...shared, meteredIn: 'characters', body: { ...body, stream_format: 'sse' } });
    expect(server.requests[0]?.body).not.toHaveProperty('stream_format');
  });
});

describe('transcripts', () => {
  const audio = { bytes: Buffer.from('RIFF\r\n--x'), filename: 'a "b".wav', mimeType: 'audio/wav' };
  const call = (more: Partial<TranscriptionCall> = {}): TranscriptionCall => ({
    ...shared,
    meteredIn: 'seconds',
    task: 'transcribe',
    audio,
    fields: [],
    ...more,
  });
  const verbose = {
    task: 'transcribe',
    language: 'english',
    duration: 61.5,
    text: 'Hello there.',
    segments: [{ id: 0, start: 0, end: 61.5, text: ' Hello there.' }],
    usage: { type: 'duration', seconds: 62 },
  };

  it('requests transcripts sold by seconds in the long form, and writes the requested format', async () => {
    answer(verbose);
    const as = async (format?: string) => {
      const fields = format ? [['language', 'en'] as const, ['response_format', format] as const] : [];
      const made = await media.transcribe(call({ fields }));
      expect(made.usage).toMatchObject({ inputUnits: 62, outputUnits: 0, isEstimated: false });
      return Buffer.from(made.body).toString();
    };
    expect(JSON.parse(await as())).toEqual({ text: 'Hello there.', usage: { type: 'duration', seconds: 62 } });
    expect(await as('text')).toBe('Hello there.\n');
    expect(await as('srt')).toBe('1\n00:00:00,000 --> 00:01:01,500\nHello there.\n');
    expect(JSON.parse(await as('verbose_json'))).toEqual(verbose);
    const { path, headers, raw } = server.requests.at(-1)!;
    expect([path, headers['content-type']]).toEqual([
      '/v1/audio/transcriptions',
      expect.stringMatching(/^multipart\/form-data; boundary=/),
    ]);
    const form = await new Response(raw, { headers: { 'content-type': headers['content-type']! } }).formData();
    expect([form.get('model'), form.get('language'), form.getAll('response_format')]).toEqual([
      'up-1',
      'en',
      ['verbose_json'],
    ]);
    const file = form.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['a "b".wav', 'audio/wav', 'RIFF\r\n--x']);
  });

  it('requests transcripts sold by tokens in the short form, with their usage', async () => {
    const short = { text: 'Hi.', usage: { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 } };
    answer(short);
    const made = await media.transcribe(call({ meteredIn: 'tokens' }));
    expect(made.usage).toMatchObject({ inputUnits: 14, outputUnits: 5, isEstimated: false });
    expect(JSON.parse(Buffer.from(made.body).toString())).toEqual(short);
    const text = await media.transcribe(call({ meteredIn: 'tokens', fields: [['response_format', 'text']] }));
    expect(Buffer.from(text.body).toString()).toBe('Hi.\n');
    await expect(
      media.transcribe(call({ meteredIn: 'tokens', fields: [['response_format', 'srt']] })),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  describe('in events', () => {
    const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
    const delta = event({ type: 'transcript.text.delta', delta: 'Hi.', logprobs: [] });
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 };
    const done = event({ type: 'transcript.text.done', text: 'Hi.', usage });
    const stream = (more: Partial<TranscriptionCall> = {}) =>
      media.streamTranscript(call({ meteredIn: 'tokens', ...more }));
    const readAll = async (events: AsyncIterable<string>) => {
      const all: unknown[] = [];
      for await (const json of events) all.push(JSON.parse(json));
      return all;
    };

    it('passes the events of models sold by tokens on, with their usage', async () => {
      answer(`${delta}${done}data: [DONE]\n\n`, 'text/event-stream');
      const made = await stream({ fields: [['language', 'en']] });
      expect(await readAll(made.events)).toEqual([
        { type: 'transcript.text.delta', delta: 'Hi.', logprobs: [] },
        { type: 'transcript.text.done', text: 'Hi.', usage },
      ]);
      expect(made.usage()).toMatchObject({ inputUnits: 14, outputUnits: 5, isEstimated: false });
      const { headers, raw } = server.requests[0]!;
      const form = await new Response(raw, { headers: { 'content-type': headers['content-type']! } }).formData();
      expect([form.get('stream'), form.get('language'), form.get('response_format')]).toEqual(['true', 'en', 'json']);
    });

    it('makes events of the whole answer of models sold by seconds', async () => {
      answer(verbose);
      const made = await stream({
        meteredIn: 'seconds',
        fields: [
          ['response_format', 'json'],
          ['language', 'en'],
        ],
      });
      expect(await readAll(made.events)).toEqual([
        { type: 'transcript.text.delta', delta: 'Hello there.' },
        { type: 'transcript.text.done', text: 'Hello there.', usage: { type: 'duration', seconds: 62 } },
      ]);
      expect(made.usage()).toMatchObject({ inputUnits: 62, outputUnits: 0, isEstimated: false });
    });

    it.each([
      ['breaks off', delta, { kind: 'transport' }],
      ['reports an error', delta + event({ error: { message: 'sorry', code: 503 } }), { status: 503 }],
      ['is not a stream of events', 'data: nope\n\n', { kind: 'invalid_response' }],
    ])('fails a transcript that %s', async (_what, text, expected) => {
      answer(text, 'text/event-stream');
      const { events, usage: charged } = await stream();
      await expect(readAll(events)).rejects.toMatchObject(expected);
      expect(charged().isEstimated).toBe(true);
    });

    it('fails for an answer that is no stream', async () => {
      answer({ text: 'Hi.' });
      await expect(stream()).rejects.toMatchObject({ kind: 'invalid_response' });
    });
  });

  it('charges a marked estimate by size without usage of the provider', async () => {
    answer({ text: 'Hi.' });
    const made = await media.transcribe(call({ audio: { ...audio, bytes: Buffer.alloc(32_001) }, task: 'translate' }));
    expect(made.usage).toMatchObject({ inputUnits: 3, outputUnits: 0, isEstimated: true });
    expect(server.requests[0]?.path).toBe('/v1/audio/translations');
  });
});
