import { AwsClient } from 'aws4fetch';
import type { ImageStorage } from './image-storage.js';

export interface S3Access {
  /** `https://s3.eu-central-1.amazonaws.com`, or the address of a compatible server. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MS = 30_000;

/** Stores objects in an S3-compatible bucket, with path-style URLs, which every such server supports. */
export class S3Storage implements ImageStorage {
  readonly #client: AwsClient;
  readonly #base: string;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Access) {
    // The library retries answers of 5xx and 429 with growing delays.
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 });
    this.#base = `${endpoint}/${encodeURIComponent(bucket)}`;
  }

  async put(key: string, bytes: Uint8Array, mimeType: string): Promise<void> {
    const headers = { 'Content-Type': mimeType };
    await this.#send(key, { method: 'PUT', headers, body: Buffer.from(bytes) });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const res = await this.#send(key, { method: 'GET' });
    return res.status === 404 ? undefined : new Uint8Array(await res.arrayBuffer());
  }

  async delete(key: string): Promise<void> {
    await this.#send(key, { method: 'DELETE' });
  }

  async #send(key: string, init: RequestInit): Promise<Response> {
    const res = await this.#client.fetch(`${this.#base}/images/${key}`, {
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (res.ok || (res.status === 404 && init.method !== 'PUT')) return res;
    throw new Error(
      `the image storage answered ${init.method} with ${res.status}: ${(await res.text()).slice(0, 500)}`,
    );
  }
}
