import type { CatalogModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';
import { toChild } from './json.js';
import { type FindTranscriber, readTranscriber, type Transcriber } from './transcription.js';

/** Output of a response whose client sets no bound, as the vendor documents it for sessions. */
const OUTPUT_TOKENS = 4_096;

/** The client's settings of a session, and what the vendor gets instead of them. */
export class SessionSettings {
  readonly #model: CatalogModel;
  readonly #modelName: string;
  readonly #upstreamModel: unknown;
  /** The client wants an answer to each turn that is detected. */
  #answersTurns: boolean;
  /** The client's bound of the output of each response. */
  #maxOutputTokens: unknown;
  #outputIsText: boolean;
  readonly #detection: unknown;
  readonly #findTranscriber: FindTranscriber;
  /** Set from the client's update on; kept when transcripts are turned off. */
  #transcriber: Transcriber | undefined;
  #wantsTranscripts = false;
  /** Whether the vendor transcribes, by its last report. */
  #transcribes: boolean;
  /** The update that turns transcripts on, until the vendor has answered it. */
  #turnedOnBy: unknown;

  constructor(model: CatalogModel, modelName: string, session: JsonObject, findTranscriber: FindTranscriber) {
    this.#model = model;
    this.#modelName = modelName;
    this.#findTranscriber = findTranscriber;
    this.#transcribes = isJsonObject(readInput(session).transcription);
    this.#upstreamModel = session.model;
    this.#detection = readDetection(session);
    this.#answersTurns = wantsAnswers(this.#detection) ?? false;
    this.#maxOutputTokens = session.max_output_tokens ?? 'inf';
    this.#outputIsText = isText(session.output_modalities);
  }

  get answersTurns(): boolean {
    return this.#answersTurns;
  }

  /** The first update: the vendor creates no response by itself, and none longer than the bound. */
  get setup(): JsonObject {
    const detection = isJsonObject(this.#detection) ? { ...this.#detection, create_response: false } : this.#detection;
    return {
      type: 'realtime',
      max_output_tokens: this.boundOutput(undefined),
      ...((detection !== undefined || this.#transcribes) && {
        audio: {
          input: {
            ...(detection !== undefined && { turn_detection: detection }),
            ...(this.#transcribes && { transcription: null }),
          },
        },
      }),
    };
  }

  /** The model that may write down what is said now: the client wants it, or the vendor has not confirmed its end. */
  get transcriber(): Transcriber | undefined {
    return this.#wantsTranscripts || this.#transcribes ? this.#transcriber : undefined;
  }

  /** Whether further speech is to be transcribed. */
  get wantsTranscripts(): boolean {
    return this.#wantsTranscripts;
  }

  /** Returns the model for transcripts that an update turns on. @throws AppError for a model without a price */
  readTranscriber(event: JsonObject): Transcriber | null | undefined {
    return readTranscriber(event, this.#transcriber, this.#findTranscriber);
  }

  /** No further speech is to be transcribed. Returns the settings for the vendor. */
  stopTranscripts(): JsonObject {
    this.#wantsTranscripts = false;
    return { type: 'realtime', audio: { input: { transcription: null } } };
  }

  /** The vendor has refused an event of the client. */
  takeRefused(eventId: unknown): void {
    if (this.#turnedOnBy === undefined || this.#turnedOnBy !== eventId) return;
    this.#turnedOnBy = undefined;
    this.#wantsTranscripts = this.#transcribes;
  }

  /** Takes an update of the client. Returns what the vendor gets. @throws AppError for another model */
  takeUpdate(event: JsonObject): JsonObject {
    const session = { type: 'realtime', ...toChild(event, 'session') } as JsonObject;
    if (session.model !== undefined) {
      if (session.model !== this.#modelName && session.model !== this.#upstreamModel) throw otherModel();
      delete session.model;
    }
    if (session.max_output_tokens !== undefined) {
      this.#maxOutputTokens = session.max_output_tokens;
      session.max_output_tokens = this.boundOutput(undefined);
    }
    // Until the vendor confirms text alone, a response may speak.
    if (session.output_modalities !== undefined) this.#outputIsText = false;
    const input = { ...this.#takeTranscriber(event), ...this.#takeDetection(session) };
    if (Object.keys(input).length === 0) return { ...event, session };
    const audio = toChild(session, 'audio');
    return { ...event, session: { ...session, audio: { ...audio, input: { ...toChild(audio, 'input'), ...input } } } };
  }

  readInputFormat(event: JsonObject): unknown {
    const { format } = readInput(toChild(event, 'session'));
    return isJsonObject(format) ? format.type : format;
  }

  /** Takes the settings that the vendor reports. */
  takeConfirmed(session: JsonObject): void {
    this.#outputIsText = isText(session.output_modalities);
    this.#transcribes = isJsonObject(readInput(session).transcription);
  }

  /** The vendor's settings as the client has made them. */
  present(session: JsonObject): JsonObject {
    const shown: JsonObject = { ...session, model: this.#modelName, max_output_tokens: this.#maxOutputTokens };
    const input = readInput(session);
    const own: JsonObject = {};
    if (isJsonObject(input.turn_detection)) {
      own.turn_detection = { ...input.turn_detection, create_response: this.#answersTurns };
    }
    if (isJsonObject(input.transcription) && this.#transcriber) {
      own.transcription = { ...input.transcription, model: this.#transcriber.name };
    }
    if (Object.keys(own).length === 0) return shown;
    return { ...shown, audio: { ...toChild(session, 'audio'), input: { ...input, ...own } } };
  }

  /** The tokens of output that a response may have; `asked` is its own bound. */
  boundOutput(asked: unknown): number {
    const wanted = toBound(asked) ?? toBound(this.#maxOutputTokens) ?? OUTPUT_TOKENS;
    return Math.min(wanted, this.#model.max_output_tokens);
  }

  /** Whether the response may speak. */
  maySpeak(response: JsonObject): boolean {
    const own = response.output_modalities;
    return own === undefined ? !this.#outputIsText : !isText(own);
  }

  #takeDetection(session: JsonObject): JsonObject {
    const detection = readDetection(session);
    if (detection === undefined) return {};
    this.#answersTurns = wantsAnswers(detection) ?? this.#answersTurns;
    return isJsonObject(detection) ? { turn_detection: { ...detection, create_response: false } } : {};
  }

  #takeTranscriber(event: JsonObject): JsonObject {
    const transcriber = this.readTranscriber(event);
    if (transcriber === undefined) return {};
    this.#wantsTranscripts = transcriber !== null;
    this.#turnedOnBy = transcriber ? event.event_id : undefined;
    if (transcriber === null) return {};
    this.#transcriber = transcriber;
    const asked = readInput(toChild(event, 'session')).transcription as JsonObject;
    return { transcription: { ...asked, model: transcriber.upstreamModel } };
  }
}

function readDetection(session: JsonObject): unknown {
  return readInput(session).turn_detection;
}

function readInput(session: JsonObject): JsonObject {
  return toChild(toChild(session, 'audio'), 'input');
}

/** Returns undefined where the setting does not change. */
function wantsAnswers(detection: unknown): boolean | undefined {
  if (detection === undefined) return undefined;
  return isJsonObject(detection) && detection.create_response !== false;
}

function isText(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.length === 1 && modalities[0] === 'text';
}

/** Returns undefined for `inf`, and for a bound that the vendor refuses. */
function toBound(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function otherModel(): AppError {
  const message = 'the model of a session cannot change';
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'session.model', message }] });
}
