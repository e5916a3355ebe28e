import type { ProviderId } from '@tollgate/api/model-requests';

/** One request for images at one provider. */
export interface ImageCall {
  requestId: string;
  /** The request's hold; sent to providers that store it. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  prompt: string;
  /** Number of images, 1 to 10. No more are charged than the hold covers. */
  n: number;
  /** `WIDTHxHEIGHT`; absent: the size of the catalog's price. */
  size?: string | undefined;
  /** Images to start from; absent: none. */
  edited?: { sources: readonly SourceImage[]; mask: SourceImage | undefined } | undefined;
  /** Ends the call when the caller leaves. */
  signal: AbortSignal;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
}

/** An image that the client sent. */
export interface SourceImage {
  bytes: Uint8Array;
  filename: string;
  mimeType: string;
}

/** A provider's own count of an image request. */
export interface ImageTokens {
  inputTokens: number;
  outputTokens: number;
  inputTextTokens: number;
  inputImageTokens: number;
}

export interface GeneratedImage {
  bytes: Uint8Array;
  /** Detected from the bytes, not taken from the provider. */
  mimeType: string;
}

export interface ImageAnswer {
  /** At least one; fewer than requested if the provider withheld some. */
  images: readonly GeneratedImage[];
  /** The provider's own token count, for information: images are charged individually. */
  tokens: ImageTokens | undefined;
  providerRequestId: string | undefined;
}

/** A provider that generates images. */
export interface ImageProvider {
  readonly id: ProviderId;
  /**
   * Generates images.
   *
   * @throws ProviderFailure if none was generated; AppError if the provider does not support the request
   */
  generateImages(call: ImageCall): Promise<ImageAnswer>;
}
