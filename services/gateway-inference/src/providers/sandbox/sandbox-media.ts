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
import { renderTranscript, type Transcript } from '../convert/transcript.js';
import { wholeTranscript } from '../convert/whole-transcript.js';
import { audioSeconds, speak } from './sandbox-audio.js';
import { DIMENSIONS_DEFAULT, DIMENSIONS_MAX, embedText } from './sandbox-embedding.js';
import { moderateText, toModeratedTexts } from './sandbox-moderation.js';
import { readScript } from './script.js';
import { scriptedFailure, wait } from './scripted-failure.js';

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
