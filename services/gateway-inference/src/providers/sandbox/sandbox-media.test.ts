import { describe, expect, it } from '@jest/globals';
import type { EmbeddingCall, MediaAnswer, SpeechCall, TranscriptionCall } from '../contract/media-provider.js';
import { SandboxMedia } from './sandbox-media.js';

const media = new SandboxMedia();
const shared = {
  requestId: 'r1',
  accountId: 'a',
  holdId: 'r1',
  upstreamModel: 'm',
  modelName: 'sandbox/m',
  meteredIn: 'tokens' as const,
  signal: new AbortController().signal,
};

const embedding = (body: EmbeddingCall['body']): EmbeddingCall => ({ ...shared, body });
const speech = (body: SpeechCall['body']): SpeechCall => ({ ...shared, body });

function transcription(bytes: Uint8Array, more: Partial<TranscriptionCall> = {}): TranscriptionCall {
  const audio = { bytes, filename: 'memo.wav', mimeType: 'audio/wav' };
  return { ...shared, task: 'transcribe', audio, fields: [], ...more };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function parsed(answer: MediaAnswer): any {
  return JSON.parse(Buffer.from(answer.body).toString());
}

async function spoken(body: SpeechCall['body']): Promise<{ contentType: string; bytes: Buffer; units: number }> {
  const { contentType, audio, usage } = await media.speak(speech(body));
  const chunks: Uint8Array[] = [];
  for await (const chunk of audio) chunks.push(chunk);
  return { contentType, bytes: Buffer.concat(chunks), units: usage().inputUnits };
}

const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('moderation of the sandbox', () => {
  const moderate = (input: unknown) => media.moderate({ ...shared, body: { input }, inputUnits: 9 });

  it('marks texts that name a category, each of several with its own result', async () => {
    const { results } = parsed(await moderate(['hello', 'Flag as violence/graphic']));
    expect(results.map(({ flagged }: { flagged: boolean }) => flagged)).toEqual([false, true]);
    expect(results[1].categories).toMatchObject({ 'violence/graphic': true, violence: false });
  });

  it('returns one result for the parts of one input, and charges the admitted units', async () => {
    const parts = [
      { type: 'text', text: 'flag as hate' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    const answer = await moderate(parts);
    expect(parsed(answer).results).toMatchObject([{ flagged: true }]);
    expect(answer.usage.inputUnits).toBe(9);
  });

  it('fails as the text asks', async () => {
    await expect(moderate('fail with 500')).rejects.toMatchObject({ status: 500 });
  });
});

describe('embeddings of the sandbox', () => {
  it('returns unit vectors, equal for equal texts, closer for texts with common words', async () => {
    const input = ['the red fox runs', 'the red fox sleeps', 'quarterly revenue grew', 'the red fox runs', '', '…'];
    const { data, model, usage } = parsed(await media.embed(embedding({ input })));
    const vectors: number[][] = data.map((entry: { embedding: number[] }) => entry.embedding);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(vectors[0]).toEqual(vectors[3]);
    expect(dot(vectors[0]!, vectors[1]!)).toBeGreaterThan(dot(vectors[0]!, vectors[2]!) + 0.3);
    expect([model, vectors[0]!.length, usage.prompt_tokens]).toEqual(['sandbox/m', 256, 4 + 5 + 6 + 4 + 0 + 1]);
  });

  it('supports dimensions and encoding', async () => {
    const floats = parsed(await media.embed(embedding({ input: 'a b', dimensions: 8 }))).data[0].embedding;
    const base64 = parsed(await media.embed(embedding({ input: 'a b', dimensions: 8, encoding_format: 'base64' })));
    const bytes = Buffer.from(base64.data[0].embedding, 'base64');
    expect(Array.from({ length: 8 }, (_, i) => bytes.readFloatLE(i * 4))).toEqual(floats);
  });

  it.each([{ input: [] }, { input: 7 }, { input: 'a', dimensions: 0 }, { input: 'a', dimensions: 1.5 }])(
    'rejects %j',
    async (body) => {
      await expect(media.embed(embedding(body))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );
});

describe('speech of the sandbox', () => {
  it('returns a file of the requested format, metered in characters', async () => {
    const wav = await spoken({ input: 'three short words 👋', voice: 'alloy', response_format: 'wav' });
    expect([wav.contentType, wav.units]).toEqual(['audio/wav', 19]);
    expect(wav.bytes.toString('latin1', 0, 4) + wav.bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect(wav.bytes.readUInt32LE(40)).toBe(wav.bytes.length - 44);
    const mp3 = await spoken({ input: 'three short words', voice: 'alloy' });
    expect(mp3.contentType).toBe('audio/mpeg');
    expect(mp3.bytes.length % 104).toBe(0);
    for (let at = 0; at < mp3.bytes.length; at += 104) expect(mp3.bytes.readUInt32BE(at)).toBe(0xfffb10c0);
    const pcm = await spoken({ input: 'two words', voice: 'alloy', response_format: 'pcm' });
    expect(pcm.bytes.length).toBe(0.2 * 24_000 * 2);
  });

  it('rejects unsupported formats', async () => {
    await expect(media.speak(speech({ input: 'x', response_format: 'opus' }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('transcripts of the sandbox', () => {
  it('reports the length of the recording in every format', async () => {
    const { bytes } = await spoken({ input: 'word '.repeat(15), voice: 'alloy', response_format: 'wav' });
    const text = `Transcript of memo.wav: ${bytes.length} bytes, 2 seconds.`;
    const json = await media.transcribe(transcription(bytes));
    expect(parsed(json)).toEqual({ text, usage: { type: 'duration', seconds: 2 } });
    expect(json.usage).toEqual({ inputUnits: 2, outputUnits: 0, isEstimated: false });
    const as = async (format: string): Promise<string> => {
      const answer = await media.transcribe(transcription(bytes, { fields: [['response_format', format]] }));
      return Buffer.from(answer.body).toString();
    };
    expect(await as('text')).toBe(`${text}\n`);
    expect(await as('srt')).toBe(`1\n00:00:00,000 --> 00:00:02,000\n${text}\n`);
    expect(await as('vtt')).toBe(`WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n${text}\n`);
    expect(JSON.parse(await as('verbose_json'))).toMatchObject({ duration: 2, text, segments: [{ id: 0, end: 2 }] });
    await expect(as('docx')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('distinguishes translations', async () => {
    const answer = await media.transcribe(transcription(new Uint8Array(16_001), { task: 'translate' }));
    expect(parsed(answer).text).toBe('Translation of memo.wav: 16001 bytes, 2 seconds.');
  });

  it('fails as the prompt says', async () => {
    const call = transcription(new Uint8Array(1), { fields: [['prompt', 'fail with 500']] });
    await expect(media.transcribe(call)).rejects.toMatchObject({ kind: 'response', status: 500 });
  });
});
