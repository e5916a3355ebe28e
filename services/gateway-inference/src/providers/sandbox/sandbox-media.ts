import { createHash } from 'node:crypto';
import { countCharacters, countSandboxTokens } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type {
  EmbeddingCall,
  MediaAnswer,
  MediaProvider,
  MediaUsage,
  ModerationCall,
  SpeechAnswer,
  SpeechCall,
  TranscriptionCall,
  TranscriptStream,
} from '../contract/media-provider.js';
import { renderTranscript, type Transcript, wholeTranscript } from '../convert/transcript.js';
import { audioSeconds, speak } from './sandbox-audio.js';
import { readScript, scriptedFailure, wait } from './script.js';

const AUDIO_PIECE_BYTES = 16 * 1024;

/** Returns embeddings and audio without network, by the rules in the README. */
export class SandboxMedia implements MediaProvider {
  readonly id = 'sandbox';

  async embed(call: EmbeddingCall): Promise<MediaAnswer> {
    const { input, dimensions = DIMENSIONS_DEFAULT, encoding_format: encoding } = call.body;
    const texts = toTexts(input);
    await play(texts.join('\n'), call);
    const size = Number(dimensions);
    if (!Number.isInteger(size) || size < 1 || size > DIMENSIONS_MAX) throw invalid('dimensions', 'is out of range');
    const data = texts.map((text, index) => {
      const vector = embedText(text, size);
      return { object: 'embedding', index, embedding: encoding === 'base64' ? toBase64(vector) : [...vector] };
    });
    const tokens = texts.reduce((total, text) => total + countSandboxTokens(text), 0);
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    return json(call, { object: 'list', data, model: call.modelName, usage }, served(tokens));
  }

  async moderate(call: ModerationCall): Promise<MediaAnswer> {
    const texts = toModeratedTexts(call.body.input);
    await play(texts.join('\n'), call);
    const body = { id: `modr-${call.requestId}`, model: call.modelName, results: texts.map(moderateText) };
    return json(call, body, served(call.inputUnits));
  }

  async speak(call: SpeechCall): Promise<SpeechAnswer> {
    const text = String(call.body.input ?? '');
    await play(text, call);
    const { contentType, bytes } = speak(text, String(call.body.response_format ?? 'mp3'));
    const usage = served(countCharacters(text));
    return { contentType, audio: pieces(bytes), usage: () => usage, providerRequestId: readRequestId(call) };
  }

  async transcribe(call: TranscriptionCall): Promise<MediaAnswer> {
    const fields = new Map(call.fields);
    await play(fields.get('prompt') ?? '', call);
    const transcript = toTranscript(call);
    const usage = served(Math.ceil(transcript.durationSeconds));
    const format = fields.get('response_format') ?? 'json';
    if (format === 'verbose_json') return json(call, verbose(call, transcript), usage);
    const { contentType, body } = renderTranscript(transcript, format);
    return { contentType, body: Buffer.from(body), usage, providerRequestId: readRequestId(call) };
  }

  async streamTranscript(call: TranscriptionCall): Promise<TranscriptStream> {
    await play(new Map(call.fields).get('prompt') ?? '', call);
    const { text, durationSeconds } = toTranscript(call);
    return wholeTranscript(text, served(Math.ceil(durationSeconds)), toWords(text));
  }
}

/** Splits after each space. */
function toWords(text: string): string[] {
  return text.split(/(?<= )/);
}

async function play(text: string, call: { requestId: string; signal: AbortSignal }): Promise<void> {
  const script = readScript(text);
  await wait(script.waitMs, call.signal);
  const failure = scriptedFailure(script, call.requestId);
  if (failure) throw failure;
}

/** Returns the input as texts. Token lists are joined as they are: the sandbox has no vocabulary. */
function toTexts(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0) throw invalid('input', 'must be a text or a list of texts');
  if (input.every((item) => typeof item === 'number')) return [input.join(' ')];
  return input.map((item) => (Array.isArray(item) ? item.join(' ') : String(item)));
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

function toTranscript({ audio, task }: TranscriptionCall): Transcript {
  const durationSeconds = audioSeconds(audio.bytes);
  const word = task === 'translate' ? 'Translation' : 'Transcript';
  const text = `${word} of ${audio.filename}: ${audio.bytes.length} bytes, ${durationSeconds} seconds.`;
  return { text, durationSeconds, segments: [{ start: 0, end: durationSeconds, text }] };
}

function verbose(call: TranscriptionCall, { text, durationSeconds, segments }: Transcript): object {
  return {
    task: call.task,
    language: 'english',
    duration: durationSeconds,
    text,
    segments: segments.map((segment, id) => ({ id, seek: 0, ...segment, tokens: [], temperature: 0 })),
    usage: { type: 'duration', seconds: durationSeconds },
  };
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += AUDIO_PIECE_BYTES) yield bytes.subarray(at, at + AUDIO_PIECE_BYTES);
}

function json(call: { requestId: string }, body: object, usage: MediaUsage): MediaAnswer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { contentType: 'application/json', body: bytes, usage, providerRequestId: readRequestId(call) };
}

function served(inputUnits: number): MediaUsage {
  return { inputUnits, outputUnits: 0, isEstimated: false };
}

function readRequestId({ requestId }: { requestId: string }): string {
  return `sandbox-${requestId}`;
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field} ${message}`, { fields: [{ field, message }] });
}

const DIMENSIONS_DEFAULT = 256;
const DIMENSIONS_MAX = 3072;

/**
 * Returns a unit vector that depends only on the text: the sum of one pseudo-random vector per word, so that texts with common
 * words are close.
 */
function embedText(text: string, dimensions: number): Float32Array {
  const sum = new Float64Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) addNoise(sum, word);
  // A text without words, or with words that cancel each other out, also needs a direction.
  if (vectorLength(sum) === 0) addNoise(sum, `\n${text}`);
  const length = vectorLength(sum);
  return Float32Array.from(sum, (value) => value / length);
}

/** Adds values in (-1, 1) drawn by xorshift from the hash of the seed. */
function addNoise(sum: Float64Array, seed: string): void {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0) || 1;
  for (let i = 0; i < sum.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum[i]! += state / 2 ** 31;
  }
}

function vectorLength(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
}

/** Source: `Moderation.Categories` of the `openai` client library 6.49. */
const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];
const FLAGGED_SCORE = 0.99;
const OTHER_SCORE = 0.01;

/** Returns one text per result: each of several texts has a result of its own, and all parts of one input share one. */
function toModeratedTexts(input: unknown): string[] {
  if (!Array.isArray(input)) return [String(input ?? '')];
  if (input.every((item) => typeof item === 'string')) return input;
  const texts = input.map((part) => (part as { text?: unknown } | null)?.text);
  return [texts.filter((text) => typeof text === 'string').join('\n')];
}

/** Flags a text by the words `flag as CATEGORY`. */
function moderateText(text: string): object {
  const named = new Set([...text.matchAll(/\bflag as ([a-z/-]+)/gi)].map(([, category]) => category?.toLowerCase()));
  const flags = categories.map((category) => [category, named.has(category)] as const);
  return {
    flagged: flags.some(([, isFlagged]) => isFlagged),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(
      flags.map(([category, isFlagged]) => [category, isFlagged ? FLAGGED_SCORE : OTHER_SCORE]),
    ),
    category_applied_input_types: Object.fromEntries(categories.map((category) => [category, ['text']])),
  };
}
