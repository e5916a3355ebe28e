// The vendors' client libraries, unmodified, with the address of a system.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { System } from './start-system.js';

/** Requests that a library has sent, including retries. */
export interface Counted<Client> {
  client: Client;
  /** Statuses of the answers, in order. */
  statuses: number[];
}

export interface LibraryOptions {
  maxRetries?: number;
  /** Shortens the waits that answers request. */
  waitsAtMostMs?: number;
}

/** The library with its default options; only its requests are counted. */
export function countingOpenAi(system: System, apiKey: string, options: LibraryOptions = {}): Counted<OpenAI> {
  const statuses: number[] = [];
  const { waitsAtMostMs, ...rest } = options;
  const fetch = counting(statuses, waitsAtMostMs);
  return { client: new OpenAI({ apiKey, baseURL: `${system.stack.httpUrl}/v1`, fetch, ...rest }), statuses };
}

export function countingAnthropic(system: System, apiKey: string, options: LibraryOptions = {}): Counted<Anthropic> {
  const statuses: number[] = [];
  const { waitsAtMostMs, ...rest } = options;
  const fetch = counting(statuses, waitsAtMostMs);
  return { client: new Anthropic({ apiKey, baseURL: system.stack.httpUrl, fetch, ...rest }), statuses };
}

export function openAiClient(system: System, apiKey: string): OpenAI {
  return countingOpenAi(system, apiKey, { maxRetries: 0 }).client;
}

/** Returns the error of a request; undefined if it was answered. */
export async function catchOpenAiError(
  request: PromiseLike<unknown>,
): Promise<InstanceType<typeof OpenAI.APIError> | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    return error as InstanceType<typeof OpenAI.APIError>;
  }
}

export function anthropicClient(system: System, apiKey: string): Anthropic {
  return countingAnthropic(system, apiKey, { maxRetries: 0 }).client;
}

function counting(statuses: number[], waitsAtMostMs: number | undefined): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    if (waitsAtMostMs === undefined || !response.headers.has('retry-after')) return response;
    const headers = new Headers(response.headers);
    headers.set('retry-after-ms', String(waitsAtMostMs));
    return new Response(response.body, { status: response.status, headers });
  };
}
