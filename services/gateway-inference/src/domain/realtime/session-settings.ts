import type { CatalogModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { isJson, type Json, toChild } from './json.js';

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

  constructor(model: CatalogModel, modelName: string, session: Json) {
    this.#model = model;
    this.#modelName = modelName;
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
  get setup(): Json {
    const detection = isJson(this.#detection) ? { ...this.#detection, create_response: false } : this.#detection;
    return {
      type: 'realtime',
      max_output_tokens: this.boundOutput(undefined),
      ...(detection !== undefined && { audio: { input: { turn_detection: detection } } }),
    };
  }

  /** Takes an update of the client. Returns what the vendor gets. @throws AppError for another model */
  takeUpdate(event: Json): Json {
    const session = { type: 'realtime', ...toChild(event, 'session') } as Json;
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
    const detection = readDetection(session);
    if (detection === undefined) return { ...event, session };
    this.#answersTurns = wantsAnswers(detection) ?? this.#answersTurns;
    if (!isJson(detection)) return { ...event, session };
    const audio = toChild(session, 'audio');
    const input = { ...toChild(audio, 'input'), turn_detection: { ...detection, create_response: false } };
    return { ...event, session: { ...session, audio: { ...audio, input } } };
  }

  readInputFormat(event: Json): unknown {
    const input = toChild(toChild(toChild(event, 'session'), 'audio'), 'input');
    const { format } = input;
    return isJson(format) ? format.type : format;
  }

  /** Takes the settings that the vendor reports. */
  takeConfirmed(session: Json): void {
    this.#outputIsText = isText(session.output_modalities);
  }

  /** The vendor's settings as the client has made them. */
  present(session: Json): Json {
    const shown: Json = { ...session, model: this.#modelName, max_output_tokens: this.#maxOutputTokens };
    const audio = toChild(session, 'audio');
    const input = toChild(audio, 'input');
    if (!isJson(input.turn_detection)) return shown;
    const detection = { ...input.turn_detection, create_response: this.#answersTurns };
    return { ...shown, audio: { ...audio, input: { ...input, turn_detection: detection } } };
  }

  /** The tokens of output that a response may have; `asked` is its own bound. */
  boundOutput(asked: unknown): number {
    const wanted = toBound(asked) ?? toBound(this.#maxOutputTokens) ?? OUTPUT_TOKENS;
    return Math.min(wanted, this.#model.max_output_tokens);
  }

  /** Whether the response may speak. */
  maySpeak(response: Json): boolean {
    const own = response.output_modalities;
    return own === undefined ? !this.#outputIsText : !isText(own);
  }
}

function readDetection(session: Json): unknown {
  return toChild(toChild(session, 'audio'), 'input').turn_detection;
}

/** Returns undefined where the setting does not change. */
function wantsAnswers(detection: unknown): boolean | undefined {
  if (detection === undefined) return undefined;
  return isJson(detection) && detection.create_response !== false;
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
