import type { ProviderId } from '@tollgate/api/model-requests';
import type { CatalogModel } from '@tollgate/catalog';

/** The common part of embeddings, speech and transcription calls. */
export interface MediaCall {
  requestId: string;
  /** The request's hold; sent to providers that store it. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  /** The client's name of the model; answers carry it instead of the provider's. */
  modelName: string;
  /** The unit that the model is sold in, see `metered_in` of the catalog. */
  meteredIn: CatalogModel['metered_in'];
  /** Ends the call when the caller leaves. */
  signal: AbortSignal;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
}

/** The purpose of an embedded text, in Google's words. Empty: the client did not say. */
export interface EmbeddingHint {
  taskType: string;
  title: string;
}

/** `POST /v1/embeddings`. */
export interface EmbeddingCall extends MediaCall {
  /** The client's parsed body. */
  body: Readonly<Record<string, unknown>>;
  /** In the order of the texts, or empty; only Google's models take them. */
  hints?: readonly EmbeddingHint[];
}

/** `POST /v1/moderations`. */
export interface ModerationCall extends MediaCall {
  /** The client's parsed body. */
  body: Readonly<Record<string, unknown>>;
  /** The units that were admitted, which no provider reports. */
  inputUnits: number;
}

/** `POST /v1/audio/speech`. */
export interface SpeechCall extends MediaCall {
  /** The client's parsed body; `input` and `voice` are checked by the caller. */
  body: Readonly<Record<string, unknown>>;
}

/** `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
export interface TranscriptionCall extends MediaCall {
  task: 'transcribe' | 'translate';
  audio: { bytes: Uint8Array; filename: string; mimeType: string };
  /** The other fields of the form in the client's order, without `file` and `model`. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** Usage in the model's own unit (tokens, characters, seconds), settled as input and output tokens. */
export interface MediaUsage {
  inputUnits: number;
  outputUnits: number;
  /** Estimated by this service, because the provider reported no usage. */
  isEstimated: boolean;
  /** Our own count, used if the provider's figure is implausible. */
  estimate?: MediaUsage;
}

/** An answer that is passed through unchanged. */
export interface MediaAnswer {
  contentType: string;
  body: Uint8Array;
  usage: MediaUsage;
  providerRequestId: string | undefined;
}

/** Speech as it arrives. A reader that stops early must call the iterator's `return()`, which ends the call upstream. */
export interface SpeechAnswer {
  contentType: string;
  /** Throws ProviderFailure when the provider breaks off. */
  audio: AsyncIterable<Uint8Array>;
  /** Usage so far; complete once `audio` has ended. */
  usage(): MediaUsage;
  providerRequestId: string | undefined;
}

/** A transcript as it arrives. A reader that stops early must call the iterator's `return()`, which ends the call upstream. */
export interface TranscriptStream {
  /** Events of OpenAI's dialect as JSON; the last one ends the transcript. Throws ProviderFailure when the provider breaks off. */
  events: AsyncIterable<string>;
  /** Usage so far; complete once `events` has ended. */
  usage(): MediaUsage;
}

/**
 * A provider of embeddings, moderation and audio in OpenAI's dialect, which is passed through.
 *
 * All methods throw ProviderFailure if the provider fails, and AppError if it does not support the request.
 */
export interface MediaProvider {
  readonly id: ProviderId;
  embed(call: EmbeddingCall): Promise<MediaAnswer>;
  moderate(call: ModerationCall): Promise<MediaAnswer>;
  /** Resolves as soon as the provider begins to answer. */
  speak(call: SpeechCall): Promise<SpeechAnswer>;
  transcribe(call: TranscriptionCall): Promise<MediaAnswer>;
  /** Resolves as soon as the provider begins to answer. */
  streamTranscript(call: TranscriptionCall): Promise<TranscriptStream>;
}
