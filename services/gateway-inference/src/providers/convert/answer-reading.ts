import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, parseExactJson, systemClock, writeExactJson } from '@tollgate/runtime';
import type { Citation } from '../../domain/citation.js';

const DETAIL_CHARS_MAX = 500;
const RETRY_AFTER_SECONDS_MAX = 3_600;
const CITATIONS_MAX = 200;

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the members of a list that are objects; none if it is not a list. */
export function filterObjects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

export function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a provider's number as it was sent. Its plausibility is checked where it is charged. */
export function figure(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns a count that can be charged, or else undefined. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns an id for a tool call without one, which some servers send: a client needs an id to answer the call. */
export function toolCallId(responseId: string, index: number): string {
  return `call_${responseId.replace(/[^a-zA-Z0-9]/g, '')}_${index}`;
}

/** Returns the member of an answer for its reasoning, if it has some. */
export function withReasoning(reasoning: string): { reasoning?: string } {
  return reasoning === '' ? {} : { reasoning };
}

/** Returns arguments as text: some servers send an object, or nothing for a call without arguments. */
export function argumentsText(value: unknown): string {
  if (value === '') return '{}';
  return typeof value === 'string' ? value : writeExactJson(value ?? {});
}

/** Names of the header by which a provider's support finds a request: OpenAI and others, Anthropic, AWS, Azure. */
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'];

export function readRequestId(headers: IncomingHttpHeaders): string | undefined {
  const name = REQUEST_ID_HEADERS.find((header) => headers[header] !== undefined);
  const value = name === undefined ? undefined : headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text && /^[\x21-\x7e]{1,128}$/.test(text) ? text : undefined;
}

/** Reads `retry-after`, in seconds or as a date, and `retry-after-ms`, which OpenAI sends instead of it or beside it. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, nowMs = systemClock.nowMs()): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return boundedSeconds(Number(headers['retry-after-ms']) / 1000);
  const seconds = Number(value);
  return boundedSeconds(Number.isFinite(seconds) ? seconds : (Date.parse(value) - nowMs) / 1000);
}

export function boundedSeconds(seconds: number): number | undefined {
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), RETRY_AFTER_SECONDS_MAX) : undefined;
}

/**
 * Returns the provider's message in a form that the client may see: bounded, without key-like strings, and undefined if it may
 * concern our credentials or account (401, 403, payment).
 */
export function safeDetail(status: number, isPayment: boolean, message: string | undefined): string | undefined {
  return isPayment || status === 401 || status === 403 ? undefined : redactedDetail(message);
}

/** Returns the provider's message, bounded and without key-like strings, for the owner of the account that it concerns. */
export function redactedDetail(message: string | undefined): string | undefined {
  if (!message) return undefined;
  const safe = message
    .replace(/\b(?:sk|xai|org|proj|key|Bearer)[-_ ][A-Za-z0-9_*.-]{6,}/g, '[redacted]')
    .replace(/\bAIza[A-Za-z0-9_-]{6,}/g, '[redacted]');
  return safe.length > DETAIL_CHARS_MAX ? `${safe.slice(0, DETAIL_CHARS_MAX)}…` : safe;
}

/** Collects sources without duplicates, in the order of their first mention. */
export class CitationList {
  readonly #byUrl = new Map<string, Citation>();

  add(url: unknown, title: unknown): void {
    if (typeof url !== 'string' || url === '' || this.#byUrl.size >= CITATIONS_MAX || this.#byUrl.has(url)) return;
    this.#byUrl.set(url, { title: typeof title === 'string' && title !== '' ? title : url, url });
  }

  /** Returns undefined if there are none. */
  all(): Citation[] | undefined {
    return this.#byUrl.size === 0 ? undefined : [...this.#byUrl.values()];
  }
}
