import type { IncomingHttpHeaders } from 'node:http';
import type { Citation } from '../../domain/model-answer.js';

const DETAIL_CHARS_MAX = 500;
const RETRY_AFTER_SECONDS_MAX = 3_600;
const CITATIONS_MAX = 200;

/** Parsed JSON of unknown shape. */
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Members of a list that are objects; nothing when it is no list. */
export function objectsOf(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A provider's number as it was sent; whether it is plausible is decided where it is charged. */
export function figure(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A count that can be charged. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Some servers leave ids of tool calls out; a client has to be able to answer the call. */
export function toolCallId(responseId: string, index: number): string {
  return `call_${responseId.replace(/[^a-zA-Z0-9]/g, '')}_${index}`;
}

/** Some servers send the arguments as an object. */
export function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-request-id'] ?? headers['request-id'];
  const text = Array.isArray(value) ? value[0] : value;
  return text && /^[\x21-\x7e]{1,128}$/.test(text) ? text : undefined;
}

/** `retry-after` in seconds or as a date. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, nowMs = Date.now()): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  return boundedSeconds(Number.isFinite(seconds) ? seconds : (Date.parse(value) - nowMs) / 1000);
}

export function boundedSeconds(seconds: number): number | undefined {
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), RETRY_AFTER_SECONDS_MAX) : undefined;
}

/**
 * The provider's words as far as they are the client's business: nothing about our credentials or account with the
 * provider (401, 403, payment), no key-like strings, bounded.
 */
export function safeDetail(status: number, isPayment: boolean, message: string | undefined): string | undefined {
  if (!message || isPayment || status === 401 || status === 403) return undefined;
  const safe = message
    .replace(/\b(?:sk|xai|org|proj|key|Bearer)[-_ ][A-Za-z0-9_*.-]{6,}/g, '[redacted]')
    .replace(/\bAIza[A-Za-z0-9_-]{6,}/g, '[redacted]');
  return safe.length > DETAIL_CHARS_MAX ? `${safe.slice(0, DETAIL_CHARS_MAX)}…` : safe;
}

/** Sources in the order of their first mention, each once. */
export class CitationList {
  readonly #byUrl = new Map<string, Citation>();

  add(url: unknown, title: unknown): void {
    if (typeof url !== 'string' || url === '' || this.#byUrl.size >= CITATIONS_MAX || this.#byUrl.has(url)) return;
    this.#byUrl.set(url, { title: typeof title === 'string' && title !== '' ? title : url, url });
  }

  /** For an answer; undefined without any. */
  all(): Citation[] | undefined {
    return this.#byUrl.size === 0 ? undefined : [...this.#byUrl.values()];
  }
}
