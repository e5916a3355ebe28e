import type { ProviderId } from '@tollgate/api';
import type { TokenUsage } from '../../domain/model-answer.js';

/** One request for images at one provider. */
export interface ImageCall {
  requestId: string;
  /** Under which the request is settled; told to providers that keep it. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  prompt: string;
  /** How many, 1 to 10; more are never charged than were held for. */
  n: number;
  /** `WIDTHxHEIGHT`; absent = the size that the catalog's price is for. */
  size?: string | undefined;
  /** Ends the call when the caller has gone. */
  signal: AbortSignal;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
}

export interface GeneratedImage {
  bytes: Uint8Array;
  /** As the bytes say, whatever the provider claims. */
  mimeType: string;
}

export interface ImageAnswer {
  /** At least one; fewer than asked for when the provider withheld some. */
  images: readonly GeneratedImage[];
  /** The provider's own token count, for the record: images are charged per piece. */
  tokens: TokenUsage | undefined;
  providerRequestId: string | undefined;
}

/** A provider that makes images. */
export interface ImageProvider {
  readonly id: ProviderId;
  /**
   * Makes the images, whole.
   *
   * @throws ProviderFailure when none was made; AppError when the request cannot be put into the provider's words.
   */
  generateImages(call: ImageCall): Promise<ImageAnswer>;
}
