import type { ProviderId } from '@tollgate/api';
import type { CatalogModel } from '@tollgate/catalog';

/** What every call beside text and images has. */
export interface MediaCall {
  requestId: string;
  /** Under which the request is settled; told to providers that keep it. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  /** The name that the client knows the model by; answers carry it instead of the provider's. */
  modelName: string;
  /** In which unit the model is sold, see `metered_in` of the catalog. */
  meteredIn: CatalogModel['metered_in'];
  /** Ends the call when the caller has gone. */
  signal: AbortSignal;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
}

/** `POST /v1/embeddings`. */
export interface EmbeddingCall extends MediaCall {
  /** The client's parsed body. */
  body: Readonly<Record<string, unknown>>;
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

/** What was served, in the model's own unit (tokens, characters, seconds): settled as input and output tokens. */
export interface MediaUsage {
  inputUnits: number;
  outputUnits: number;
  /** The provider gave no figure; counted by our own rule. */
  isEstimated: boolean;
  /** Our own count beside the provider's figure, in case that cannot be. */
  estimate?: MediaUsage;
}

/** An answer that is passed on as it is. */
export interface MediaAnswer {
  contentType: string;
  body: Uint8Array;
  usage: MediaUsage;
  providerRequestId: string | undefined;
}

/** Speech as it comes. Whoever stops reading early calls `return()` of the iterator, which ends the call upstream. */
export interface SpeechAnswer {
  contentType: string;
  /** Throws ProviderFailure when the provider breaks off. */
  audio: AsyncIterable<Uint8Array>;
  /** What has been served so far; the whole once `audio` has ended. */
  usage(): MediaUsage;
  providerRequestId: string | undefined;
}

/**
 * A provider with embeddings and audio in OpenAI's dialect, which is passed through.
 *
 * All methods throw ProviderFailure when the provider fails, and AppError for what cannot be asked of it.
 */
export interface MediaProvider {
  readonly id: ProviderId;
  embed(call: EmbeddingCall): Promise<MediaAnswer>;
  /** Resolves as soon as the provider has begun to answer. */
  speak(call: SpeechCall): Promise<SpeechAnswer>;
  transcribe(call: TranscriptionCall): Promise<MediaAnswer>;
}
