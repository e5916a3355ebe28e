import { TollgateError } from './core/error.js';
import { loadCrypto } from './core/web-crypto.js';
import type { WebhookEvent } from './gen/operations.js';

/** The three ways in which an endpoint may have its deliveries signed; a setting of the endpoint. */
export type SignatureForm = 'body' | 'timestamped' | 'standard';

export interface WebhookRequest {
  /** The received bytes, before anything has parsed them. */
  payload: string | Uint8Array;
  /** `Headers`, or the plain object of a Node request. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The endpoint's secret, `whsec_…`. While a secret is replaced: both. */
  secret: string | readonly string[];
  /** Accepts only this form. Default: the form that the headers show. */
  form?: SignatureForm;
  /** How far the time of a delivery may be from the present. Default: 300. The form `body` has no time. */
  toleranceSeconds?: number;
  nowMs?: () => number;
}

/**
 * Verifies a delivery and returns its event. A delivery may arrive twice: keep `event_id` to recognize it.
 *
 * @throws TollgateError INVALID_SIGNATURE; answer 400 then
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const signed = readSignature(request);
  requireRecent(signed, request);
  const payload = typeof request.payload === 'string' ? new TextEncoder().encode(request.payload) : request.payload;
  const content = concat(new TextEncoder().encode(signed.prefix), payload);
  const secrets = typeof request.secret === 'string' ? [request.secret] : request.secret;
  let isValid = false;
  for (const secret of secrets) {
    for (const signature of signed.signatures) {
      if (await verifyHmac(toKey(secret, signed.form), signature, content)) isValid = true;
    }
  }
  if (!isValid) throw invalid('no signature of the delivery matches; is it the secret of this endpoint?');
  return parsePayload(payload);
}

interface Signed {
  form: SignatureForm;
  /** Signed before the payload. */
  prefix: string;
  signatures: readonly Uint8Array[];
  atSeconds?: number;
}

/** Each delivery has one signature, or several of the form `standard`; more than this would be an attack. */
const SIGNATURES_MAX = 10;

function readSignature(request: WebhookRequest): Signed {
  const read = (name: string) => readHeader(request.headers, name);
  const signed = read('webhook-signature') === undefined ? readOwn(read) : readStandard(read);
  if (!signed) throw invalid('the delivery has no signature header');
  if (request.form !== undefined && request.form !== signed.form) {
    throw invalid(`the delivery is signed in the form ${signed.form}, and ${request.form} is required`);
  }
  return signed;
}

type ReadHeader = (name: string) => string | undefined;

function readStandard(read: ReadHeader): Signed {
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp') ?? '';
  if (id === undefined || !/^\d{1,12}$/.test(timestamp)) throw invalid('the delivery has no webhook-id or timestamp');
  const signatures = (read('webhook-signature') ?? '')
    .split(' ', SIGNATURES_MAX)
    .filter((text) => text.startsWith('v1,'))
    .map((text) => fromBase64(text.slice(3)))
    .filter((bytes) => bytes !== undefined);
  return { form: 'standard', prefix: `${id}.${timestamp}.`, signatures, atSeconds: Number(timestamp) };
}

function readOwn(read: ReadHeader): Signed | undefined {
  const header = read('x-service-signature');
  if (header === undefined) return undefined;
  const body = /^sha256=([0-9a-f]{64})$/.exec(header)?.[1];
  if (body !== undefined) return { form: 'body', prefix: '', signatures: [fromHex(body)] };
  const [, timestamp, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (timestamp === undefined || hex === undefined) throw invalid('the signature header is malformed');
  return { form: 'timestamped', prefix: `${timestamp}.`, signatures: [fromHex(hex)], atSeconds: Number(timestamp) };
}

function requireRecent({ atSeconds }: Signed, { toleranceSeconds = 300, nowMs = () => Date.now() }: WebhookRequest) {
  if (atSeconds === undefined) return;
  if (Math.abs(nowMs() / 1000 - atSeconds) > toleranceSeconds) {
    throw invalid(`the delivery is more than ${toleranceSeconds} s old or early; is this clock right?`);
  }
}

/** The specification of Standard Webhooks signs with the decoded secret, the other forms with its text. */
function toKey(secret: string, form: SignatureForm): Uint8Array {
  if (form !== 'standard') return new TextEncoder().encode(secret);
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('the secret of this endpoint is not base64');
  return bytes;
}

/** Compares in constant time, which WebCrypto guarantees. */
async function verifyHmac(key: Uint8Array, signature: Uint8Array, content: Uint8Array): Promise<boolean> {
  const { subtle } = await loadCrypto();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', toOwnMemory(key), algorithm, false, ['verify']);
  return subtle.verify('HMAC', imported, toOwnMemory(signature), toOwnMemory(content));
}

function parsePayload(payload: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(payload)) as WebhookEvent;
  } catch (error) {
    throw new TollgateError('INVALID_ANSWER', 'the payload of the delivery is not JSON', { cause: error });
  }
}

function readHeader(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : (found as string | undefined);
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Accepts both alphabets: older secrets are base64url. Returns undefined for other text. */
function fromBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** A view of shared memory is copied. Runtimes that run on Node's crypto accept views of their own memory, but no buffers. */
function toOwnMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function invalid(message: string): TollgateError {
  return new TollgateError('INVALID_SIGNATURE', message);
}
