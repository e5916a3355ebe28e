import type { Clock } from '@tollgate/runtime';
import { AwsV4Signer } from 'aws4fetch';
import { FormData } from 'undici';
import type { Authorizer, OutgoingRequest } from '../contract/authorizer.js';

/** Keys of an AWS principal; temporary ones have a session token. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Derived keys of a day; yesterday's is not used again. */
const DERIVED_KEYS_MAX = 2;

/** Signs requests by AWS's Signature Version 4. Source: docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html. */
export class AwsAuthorizer implements Authorizer {
  readonly #credentials: AwsCredentials;
  readonly #region: string;
  readonly #service: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #derived = new Map<string, ArrayBuffer>();

  constructor(
    credentials: AwsCredentials,
    { region, service }: { region: string; service: string },
    clock: Pick<Clock, 'now'>,
  ) {
    this.#credentials = credentials;
    this.#region = region;
    this.#service = service;
    this.#clock = clock;
  }

  /** @throws TypeError for a form, whose bytes are not known before it is sent */
  async authorize({ method, origin, path, body }: OutgoingRequest): Promise<readonly string[]> {
    if (body instanceof FormData) throw new TypeError('a form cannot be signed');
    if (this.#derived.size >= DERIVED_KEYS_MAX) this.#derived.clear();
    const signer = new AwsV4Signer({
      ...this.#credentials,
      method,
      url: origin + path,
      body,
      service: this.#service,
      region: this.#region,
      cache: this.#derived,
      datetime: this.#clock
        .now()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
    });
    const { headers } = await signer.sign();
    return [...headers].flat();
  }
}
