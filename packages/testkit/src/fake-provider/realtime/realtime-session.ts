import { splitSandboxTokens } from '@tollgate/catalog';
import type { RawData, WebSocket } from 'ws';
import { type Behavior, parseBehavior } from '../behavior.js';
import { type RealtimeResponseEntry, ResponseParts, type Tokens } from './response-parts.js';
import { defaultSession, isObject, merge } from './session-config.js';
import { SpeechDetector } from './speech-detector.js';
import { type RealtimeTranscriptEntry, toTranscript, toTranscriptUsage } from './transcripts.js';

// biome-ignore lint/suspicious/noExplicitAny: events have many forms; tests check what matters
type Event = any;

const MS_PER_AUDIO_TOKEN = 100;
const BYTES_PER_MS = 48;
const IMAGE_TOKENS = 85;
const EVENTS_AT_ONCE = 100;

/** What sessions add to. */
export interface RealtimeRecords {
  responses: RealtimeResponseEntry[];
  transcripts: RealtimeTranscriptEntry[];
}

/** One session as OpenAI serves it. Answers echo what was said last; words in a text set the behavior, as everywhere. */
export class RealtimeFakeSession {
  readonly #socket: WebSocket;
  readonly #responses: RealtimeResponseEntry[];
  readonly #transcripts: RealtimeTranscriptEntry[];
  readonly #standing: () => Behavior;
  readonly #detector = new SpeechDetector();
  #session: Event;
  #context: Tokens = { text: 8, audio: 0, image: 0 };
  #cached: Tokens = { text: 0, audio: 0, image: 0 };
  #bufferedBytes = 0;
  #lastText = '';
  #spokenItem = '';
  #running: { entry: RealtimeResponseEntry; cancel: () => void } | undefined;
  #ids = 0;

  constructor(socket: WebSocket, model: string, { responses, transcripts }: RealtimeRecords, standing: () => Behavior) {
    this.#socket = socket;
    this.#responses = responses;
    this.#transcripts = transcripts;
    this.#standing = standing;
    this.#session = defaultSession(this.#id('sess'), model);
    socket.on('message', (data) => this.#take(data));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#running?.cancel());
    this.#send({ type: 'session.created', session: this.#session });
  }

  #take(data: RawData): void {
    const event: Event = JSON.parse(String(data));
    switch (event.type) {
      case 'session.update':
        this.#session = merge(this.#session, event.session);
        this.#send({ type: 'session.updated', session: this.#session });
        return;
      case 'input_audio_buffer.append':
        this.#hear(Buffer.from(event.audio, 'base64'));
        return;
      case 'input_audio_buffer.clear':
        this.#bufferedBytes = 0;
        this.#send({ type: 'input_audio_buffer.cleared' });
        return;
      case 'input_audio_buffer.commit':
        if (this.#bufferedBytes === 0) {
          this.#refuse(event, 'input_audio_buffer_commit_empty');
          return;
        }
        this.#commit(this.#id('item'));
        return;
      case 'conversation.item.create':
        this.#addItem(event.item);
        return;
      case 'response.create':
        if (this.#running) {
          this.#refuse(event, 'conversation_already_has_active_response');
          return;
        }
        this.#respond(event.response ?? {}, true, event);
        return;
      case 'response.cancel':
        if (!this.#running) {
          this.#refuse(event, 'response_cancel_not_active');
          return;
        }
        this.#running.cancel();
        return;
      default:
        this.#refuse(event, 'unknown_event');
        return;
    }
  }

  #hear(bytes: Buffer): void {
    this.#bufferedBytes += bytes.length;
    const detection = this.#session.audio.input.turn_detection;
    if (!isObject(detection)) return;
    for (const { kind, atMs } of this.#detector.take(bytes, Number(detection.silence_duration_ms ?? 500))) {
      if (kind === 'started') {
        this.#spokenItem = this.#id('item');
        this.#send({ type: 'input_audio_buffer.speech_started', audio_start_ms: atMs, item_id: this.#spokenItem });
        if (detection.interrupt_response !== false) this.#running?.cancel();
        continue;
      }
      this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: atMs, item_id: this.#spokenItem });
      this.#commit(this.#spokenItem);
      if (detection.create_response !== false) this.#respond({}, false);
    }
  }

  #commit(itemId: string): void {
    const ms = this.#bufferedBytes / BYTES_PER_MS;
    this.#context.audio += Math.ceil(ms / MS_PER_AUDIO_TOKEN);
    this.#bufferedBytes = 0;
    this.#lastText = 'what you said';
    this.#send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
    this.#added({ id: itemId, type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] });
    const { transcription } = this.#session.audio.input;
    if (isObject(transcription)) this.#transcribe(itemId, String(transcription.model), ms);
  }

  #transcribe(itemId: string, model: string, ms: number): void {
    const behavior = this.#standing();
    const at = { item_id: itemId, content_index: 0 };
    const entry = toTranscript(model, ms);
    const write = (): void => {
      if (behavior.status !== undefined) {
        const error = { type: 'server_error', code: 'transcription_failed', message: 'the audio was not understood' };
        this.#send({ type: 'conversation.item.input_audio_transcription.failed', ...at, error });
        return;
      }
      this.#transcripts.push(entry);
      const transcript = 'what you said';
      this.#send({ type: 'conversation.item.input_audio_transcription.delta', ...at, delta: transcript });
      const usage = behavior.omitUsage === true ? {} : { usage: toTranscriptUsage(entry) };
      this.#send({ type: 'conversation.item.input_audio_transcription.completed', ...at, transcript, ...usage });
    };
    if (behavior.hang !== 'mid_stream') setTimeout(write, behavior.delayFirstTokenMs ?? 0);
  }

  #addItem(item: Event): void {
    const texts = [item.output, ...(item.content ?? []).map((part: Event) => part.text)].filter(Boolean);
    for (const part of item.content ?? []) {
      if (part.type === 'input_image') this.#context.image += IMAGE_TOKENS;
      if (part.type === 'input_audio') {
        const bytes = Buffer.from(part.audio, 'base64').length;
        this.#context.audio += Math.ceil(bytes / BYTES_PER_MS / MS_PER_AUDIO_TOKEN);
      }
    }
    for (const text of texts) this.#context.text += splitSandboxTokens(text).length + 2;
    if (texts.length > 0) this.#lastText = texts.join(' ');
    this.#added({ id: this.#id('item'), ...item });
  }

  #added(item: Event): void {
    this.#send({ type: 'conversation.item.added', item, previous_item_id: null });
    this.#send({ type: 'conversation.item.done', item, previous_item_id: null });
  }

  #respond(asked: Event, wasAsked: boolean, event?: Event): void {
    const behavior = { ...parseBehavior(this.#lastText), ...this.#standing() };
    if (behavior.status !== undefined) {
      this.#refuse(event ?? {}, `fake_${behavior.status}`);
      return;
    }
    const speaks = (asked.output_modalities ?? this.#session.output_modalities).includes('audio');
    const { text, audio, image } = this.#context;
    const entry: RealtimeResponseEntry = {
      id: this.#id('resp'),
      model: this.#session.model,
      status: 'in_progress',
      maxOutputTokens: asked.max_output_tokens ?? this.#session.max_output_tokens,
      wasAsked,
      inputTokens: text + audio + image,
      outputTokens: 0,
      inputAudioTokens: audio,
      outputAudioTokens: 0,
      cachedAudioTokens: this.#cached.audio,
    };
    this.#responses.push(entry);
    const parts = new ResponseParts(entry, speaks, { ...this.#context }, { ...this.#cached });
    const timer: { stop: () => void } = { stop: () => undefined };
    const end = (status: RealtimeResponseEntry['status']): void => {
      timer.stop();
      this.#running = undefined;
      entry.status = status;
      if (asked.conversation !== 'none') {
        this.#cached = { ...this.#context };
        this.#context.text += entry.outputTokens - entry.outputAudioTokens;
        this.#context.audio += entry.outputAudioTokens;
      }
      this.#send({ type: 'response.done', response: parts.response(behavior.omitUsage === true) });
    };
    this.#running = { entry, cancel: () => end('cancelled') };
    this.#send({ type: 'response.created', response: { ...parts.response(true), status: 'in_progress' } });
    this.#play(parts, behavior, timer, end);
  }

  #play(
    parts: ResponseParts,
    behavior: Behavior,
    timer: { stop: () => void },
    end: (status: RealtimeResponseEntry['status']) => void,
  ): void {
    const call = behavior.toolCalls?.[0];
    const words = call ? JSON.stringify(call.arguments ?? {}) : (behavior.text ?? `Echo: ${this.#lastText}`);
    const pieces = behavior.tokens ? Array.from({ length: behavior.tokens }, () => 'word ') : splitSandboxTokens(words);
    const events = call ? parts.toolEvents(call.name, pieces) : parts.answerEvents(pieces);
    let sent = 0;
    const step = (): void => {
      if (behavior.hang === 'mid_stream' && sent > 3) return;
      if (behavior.cutAfterTokens !== undefined && sent > behavior.cutAfterTokens) {
        this.#socket.terminate();
        return;
      }
      const next = events.next();
      if (next.done) {
        end(parts.isFull ? 'incomplete' : 'completed');
        return;
      }
      sent++;
      this.#send(next.value);
      // Without a delay, many at once: a long answer must not take a timer for each part.
      if (behavior.delayPerTokenMs === undefined && sent % EVENTS_AT_ONCE !== 0) {
        step();
        return;
      }
      const id = setTimeout(step, behavior.delayPerTokenMs ?? 0);
      timer.stop = () => clearTimeout(id);
    };
    const id = setTimeout(step, behavior.delayFirstTokenMs ?? 0);
    timer.stop = () => clearTimeout(id);
  }

  #refuse(event: Event, code: string): void {
    const error = {
      type: 'invalid_request_error',
      code,
      message: `refused: ${code}`,
      event_id: event.event_id ?? null,
    };
    this.#send({ type: 'error', error });
  }

  #send(event: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify({ event_id: this.#id('event'), ...event }));
  }

  #id(kind: string): string {
    return `${kind}_fake_${++this.#ids}_${Math.random().toString(36).slice(2, 8)}`;
  }
}
