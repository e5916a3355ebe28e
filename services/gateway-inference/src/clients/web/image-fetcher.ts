import type { FilePart } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { ByteBudget, FairSlots } from '@tollgate/runtime';
import type { SafeFetchClient } from '@tollgate/safe-fetch';
import { readImageType } from '../../domain/image-type.js';
import type { LinkedImage } from '../../domain/model-request.js';
import { followRedirects, readHeader } from './follow-redirects.js';

const MIB = 1024 * 1024;

/** Of one request: its images as base64 must fit into the 20 MB that Google accepts. An image counts each time it is linked. */
const IMAGES_MAX = 20;
const REQUEST_BYTES_MAX = 14 * MIB;
const IMAGE_BYTES_MAX = 8 * MIB;
/** For all images of a request. A hold without a heartbeat must outlive it. */
const TIMEOUT_MS = 10_000;
/** Images that are being read at once in this process, and that may wait for it. */
const FETCHES_MAX = 8;
const WAITING_MAX = 1_024;
/** Images in memory until their requests end; one account may use half of it. */
const HELD_BYTES_MAX = 48 * MIB;
const RETRY_AFTER_SECONDS = 1;

/** Images of one request, by their URL. */
export interface FetchedImages {
  byUrl: ReadonlyMap<string, FilePart>;
  /** Of all images, each as often as it is linked. */
  bytes: number;
  /** To be called once the request has ended. */
  release(): void;
}

/** Reads images that clients link to, for providers that accept only the images themselves. */
export class ImageFetcher {
  readonly #client: SafeFetchClient;
  readonly #slots = new FairSlots({ slots: FETCHES_MAX, waitingMax: WAITING_MAX });
  readonly #held: ByteBudget;

  constructor(client: SafeFetchClient, heldBytesMax = HELD_BYTES_MAX) {
    this.#client = client;
    this.#held = new ByteBudget(heldBytesMax);
  }

  /** Bytes of the images that are not released. */
  get heldBytes(): number {
    return this.#held.bytes;
  }

  /**
   * Reads all images of a request, or none. Reads each URL once, but counts its image for every link to it, because the
   * provider's request has it as often.
   *
   * @throws AppError that names the image that cannot be read; SERVICE_UNAVAILABLE with Retry-After if there is no room
   */
  async fetch(links: readonly LinkedImage[], accountId: string, signal: AbortSignal): Promise<FetchedImages> {
    if (links.length > IMAGES_MAX) throw refused(links[IMAGES_MAX]!, `a request may link to ${IMAGES_MAX} images`);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const distinct = links.filter(({ url }, i) => links.findIndex((other) => other.url === url) === i);
    const byUrl = new Map<string, FilePart>();
    let bytes = 0;
    let failure: unknown;
    const read = async (link: LinkedImage): Promise<void> => {
      const image = await this.#slots.run(accountId, () => this.#read(link, either), { signal: either, refuse: busy });
      const size = image.length * links.filter(({ url }) => url === link.url).length;
      if (bytes + size > REQUEST_BYTES_MAX) throw refused(link, 'the images of the request are too large');
      if (!this.#held.take(accountId, size)) throw busy();
      bytes += size;
      byUrl.set(link.url, toFile(link, image));
    };
    const readOrStop = (link: LinkedImage): Promise<void> =>
      read(link).catch((error: unknown) => {
        failure ??= error;
        stop.abort();
      });
    await Promise.all(distinct.map(readOrStop));
    const release = (): void => {
      this.#held.giveBack(accountId, bytes);
      bytes = 0;
    };
    if (failure === undefined) return { byUrl, bytes, release };
    release();
    throw signal.aborted ? signal.reason : failure;
  }

  async #read(link: LinkedImage, signal: AbortSignal): Promise<Buffer> {
    const answer = await followRedirects(this.#client, link.url, {
      headers: { accept: 'image/*', 'user-agent': 'Tollgate/1.0 (images)' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: IMAGE_BYTES_MAX,
      signal,
    });
    if (!answer.ok) {
      const isLarge = answer.reason === 'too_large';
      throw refused(link, isLarge ? `it is larger than ${IMAGE_BYTES_MAX} bytes` : answer.message, answer.cause);
    }
    if (answer.status < 200 || answer.status > 299) throw refused(link, `its server answered ${answer.status}`);
    const encoding = readHeader(answer, 'content-encoding');
    if (encoding !== '' && encoding !== 'identity')
      throw refused(link, 'it is compressed though that was not asked for');
    return answer.body;
  }
}

/** The bytes decide: servers of files often name a wrong type. */
function toFile(link: LinkedImage, image: Buffer): FilePart {
  const mimeType = readImageType(image);
  if (mimeType === undefined) throw refused(link, 'it is not a PNG, JPEG, WebP or GIF image');
  return { type: 'file', file: { data_base64: image.toString('base64'), mime_type: mimeType } };
}

function refused({ field, url }: LinkedImage, why: string, cause?: unknown): AppError {
  const message = `the image at ${shorten(url)} cannot be read: ${why}`;
  const vendorError = { shape: 'openai', code: 'invalid_image_url', param: field } as const;
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }], vendorError, cause });
}

function shorten(url: string): string {
  return url.length <= 200 ? url : `${url.slice(0, 200)}…`;
}

function busy(): AppError {
  const message = 'too many linked images are being read; send the images themselves, or repeat the request';
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
