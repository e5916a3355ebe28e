import type { ProviderId } from '@tollgate/api/model-requests';
import { countCharacters } from '@tollgate/catalog';
import { isJsonObject, type JsonObject, writeExactJson } from '@tollgate/runtime';
import { FormData } from 'undici';
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
} from '../../contract/media-provider.js';
import { count, parseObject, readRequestId } from '../../convert/answer-reading.js';
import { wholeTranscript } from '../../convert/transcript.js';
import type { WholeAnswer } from '../../transport/upstream-call.js';
import { replaceModel } from '../replace-model.js';
import { toEncoding } from './embedding-encoding.js';
import {
  isVerbose,
  readUsage,
  SpeechEvents,
  streamedTranscript,
  toTranscriptAnswer,
  upstreamFormat,
} from './media-events.js';
import type { OpenAiEndpoint } from './openai-endpoint.js';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Embeddings and audio of OpenAI and of servers that speak its dialect.
 *
 * Sources: EmbeddingCreateParams, SpeechCreateParams, Transcription, TranscriptionVerbose and SpeechAudioDoneEvent of the
 * `openai` client library 6.49; developers.openai.com/api/reference (audio).
 */
export class OpenAiMedia implements MediaProvider {
  readonly #endpoint: OpenAiEndpoint;

  constructor(endpoint: OpenAiEndpoint) {
    this.#endpoint = endpoint;
  }

  get id(): ProviderId {
    return this.#endpoint.id;
  }

  async embed(call: EmbeddingCall): Promise<MediaAnswer> {
    const body = { ...call.body, model: call.upstreamModel };
    const answer = await this.#endpoint.post('/embeddings', body, call, ANSWER_BYTES_MAX);
    const text = answer.body.toString('utf8');
    const list = parseObject(text);
    if (!list || !Array.isArray(list.data)) throw this.#endpoint.unreadable(answer.headers);
    const tokens = isJsonObject(list.usage) ? count(list.usage.prompt_tokens) : undefined;
    const estimate = estimated(likelyTokens(call.body.input));
    const isConverted = toEncoding(list.data, call.body.encoding_format);
    return {
      contentType: 'application/json',
      body: Buffer.from(replaceModel(isConverted ? writeExactJson(list) : text, list, call.modelName)),
      usage: tokens ? { ...served(tokens), estimate } : estimate,
      providerRequestId: readRequestId(answer.headers),
    };
  }

  async moderate(call: ModerationCall): Promise<MediaAnswer> {
    const body = { ...call.body, model: call.upstreamModel };
    const answer = await this.#endpoint.post('/moderations', body, call, ANSWER_BYTES_MAX);
    const text = answer.body.toString('utf8');
    const moderation = parseObject(text);
    if (!moderation || !Array.isArray(moderation.results)) throw this.#endpoint.unreadable(answer.headers);
    const isExact = call.meteredIn === 'characters';
    return {
      contentType: 'application/json',
      body: Buffer.from(replaceModel(text, moderation, call.modelName)),
      usage: isExact ? served(call.inputUnits) : estimated(call.inputUnits),
      providerRequestId: readRequestId(answer.headers),
    };
  }

  /** Models that are sold by tokens report usage only in events, so events are requested and their audio is extracted. */
  async speak(call: SpeechCall): Promise<SpeechAnswer> {
    const isCounted = call.meteredIn === 'tokens';
    const { stream_format: _ours, ...asked } = call.body;
    const wanted = isCounted ? { stream_format: 'sse' } : {};
    const body = { ...asked, ...wanted, model: call.upstreamModel };
    const opened = await this.#endpoint.open('/audio/speech', body, call, ANSWER_BYTES_MAX);
    const providerRequestId = readRequestId(opened.headers);
    const contentType = opened.headers['content-type'] ?? 'application/octet-stream';
    const text = String(call.body.input ?? '');
    if (isCounted && contentType.startsWith('text/event-stream')) {
      const source = { provider: this.id, providerRequestId, body: opened.body };
      const events = new SpeechEvents(source, estimatedSpeech(text));
      const format = String(call.body.response_format ?? 'mp3');
      return { contentType: audioType(format), audio: events.audio(), usage: () => events.usage, providerRequestId };
    }
    const usage = isCounted ? estimatedSpeech(text) : served(countCharacters(text));
    return { contentType, audio: opened.body, usage: () => usage, providerRequestId };
  }

  async transcribe(call: TranscriptionCall): Promise<MediaAnswer> {
    const format = readFormat(call);
    const { answer, transcript } = await this.#transcribe(call, format);
    const { contentType, body, usage } = toTranscriptAnswer(call, transcript, format);
    const passesOn = isVerbose(format);
    return {
      contentType,
      body: passesOn ? answer.body : body,
      usage,
      providerRequestId: readRequestId(answer.headers),
    };
  }

  /** Models that are sold by seconds answer as a whole, also if events are requested. */
  async streamTranscript(call: TranscriptionCall): Promise<TranscriptStream> {
    if (call.meteredIn === 'seconds') {
      const { transcript } = await this.#transcribe(call, 'json');
      return wholeTranscript(transcript.text, readUsage(call, transcript));
    }
    const form = toForm(call, readFormat(call));
    form.append('stream', 'true');
    const opened = await this.#endpoint.open('/audio/transcriptions', form, call, ANSWER_BYTES_MAX);
    if (!opened.headers['content-type']?.startsWith('text/event-stream')) {
      await opened.body.return?.();
      throw this.#endpoint.unreadable(opened.headers);
    }
    const source = { provider: this.id, providerRequestId: readRequestId(opened.headers), body: opened.body };
    return streamedTranscript(call, source);
  }

  async #transcribe(
    call: TranscriptionCall,
    format: string,
  ): Promise<{ answer: WholeAnswer; transcript: JsonObject & { text: string } }> {
    const form = toForm(call, upstreamFormat(call, format));
    const path = call.task === 'translate' ? '/audio/translations' : '/audio/transcriptions';
    const answer = await this.#endpoint.post(path, form, call, ANSWER_BYTES_MAX);
    const transcript = parseObject(answer.body.toString('utf8'));
    if (typeof transcript?.text !== 'string') throw this.#endpoint.unreadable(answer.headers);
    return { answer, transcript: { ...transcript, text: transcript.text } };
  }
}

function readFormat({ fields }: TranscriptionCall): string {
  return new Map(fields).get('response_format') ?? 'json';
}

/** The client's form for another model, in a format that reports usage. */
function toForm({ fields, audio, upstreamModel }: TranscriptionCall, format: string): FormData {
  const form = new FormData();
  form.append('model', upstreamModel);
  for (const [name, value] of fields) if (name !== 'response_format' && name !== 'stream') form.append(name, value);
  form.append('response_format', format);
  form.append('file', new File([audio.bytes], audio.filename, { type: audio.mimeType }));
  return form;
}

function audioType(format: string): string {
  const types: Record<string, string> = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm: 'audio/pcm' };
  return types[format] ?? `audio/${format}`;
}

function served(inputUnits: number): MediaUsage {
  return { inputUnits, outputUnits: 0, isEstimated: false };
}

function estimated(inputUnits: number): MediaUsage {
  return { inputUnits, outputUnits: 0, isEstimated: true };
}

/** Estimates speech: by the vendor's bills, about one and a half tokens of speech per character of text. */
function estimatedSpeech(text: string): MediaUsage {
  const outputUnits = Math.ceil(countCharacters(text) * 1.5);
  return { inputUnits: likelyTokens(text), outputUnits, isEstimated: true };
}

/** Estimates tokens as a quarter of the bytes of text. Lists of tokens are counted exactly. */
function likelyTokens(input: unknown): number {
  if (typeof input === 'string') return Math.ceil(Buffer.byteLength(input) / 4);
  if (!Array.isArray(input)) return typeof input === 'number' ? 1 : 0;
  return input.reduce((total: number, item: unknown) => total + likelyTokens(item), 0);
}
