import type { FilePart, RequestInput } from '@tollgate/api/model-requests';
import { LARGE_JSON_BYTES } from '@tollgate/runtime/threads';
import type { Dialect } from '../../dialects/dialect.js';
import { inlineImages } from '../../domain/linked-images.js';
import { type ModelMessage, type ModelRequest, textOfMessage } from '../../domain/model-request.js';

/** Images of more bytes than this are written to the provider in another thread. */

/** The request of the next model call of a turn, and its bounds: each call adds its messages and may change the bounds. */
export class Conversation {
  readonly #dialect: Dialect;
  readonly #body: object;
  /** Output tokens that the hold covers. */
  maxOutputTokens: number;
  /** Input tokens that the hold covers; 0 when unknown. */
  inputTokensEstimate: number;
  /** Whether images that the client linked to take long to write. */
  hasLargeImages = false;
  #request: ModelRequest | undefined;
  #input: RequestInput | undefined;

  constructor(dialect: Dialect, body: object, maxOutputTokens: number, inputTokensEstimate: number) {
    this.#dialect = dialect;
    this.#body = body;
    this.maxOutputTokens = maxOutputTokens;
    this.inputTokensEstimate = inputTokensEstimate;
  }

  /** Converted on first use, because a forwarded call never needs it. @throws AppError */
  request(): ModelRequest {
    this.#request ??= this.#dialect.toModelRequest(this.#body);
    return this.#request;
  }

  /** Returns the input that the model reads, for counting. */
  input(): RequestInput {
    this.#input ??= this.#dialect.input(this.#body);
    return this.#input;
  }

  /**
   * Replaces links to images by the images, which have this many bytes in all places together. The count of the input has
   * the most expensive image for each already.
   */
  inline(images: ReadonlyMap<string, FilePart>, bytes: number): void {
    this.hasLargeImages = bytes > LARGE_JSON_BYTES;
    this.#request = inlineImages(this.request(), images);
  }

  /** Adds the messages of a model call. A tool choice that was forced has been honored by that call and is dropped. */
  continueWith(messages: readonly ModelMessage[]): void {
    const request = this.request();
    const input = this.input();
    const toolChoice = request.toolChoice?.type === 'none' ? request.toolChoice : undefined;
    this.#request = { ...request, messages: [...request.messages, ...messages], toolChoice };
    this.#input = { ...input, messages: [...input.messages, ...messages.map(textOfMessage)] };
  }
}
