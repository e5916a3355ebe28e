import { TollgateError } from './error.js';

/** Reads an answer by its content type: JSON as a value, text as a string, anything else as a Blob. */
export async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 303) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type)) return parseAnswer(await response.text(), response);
  if (type.startsWith('text/html')) throw unexpected(response, 'a page instead of JSON; is the address right?');
  if (type.startsWith('text/')) return response.text();
  return response.blob();
}

function parseAnswer(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected(response, 'JSON that cannot be parsed', error);
  }
}

function unexpected({ status, headers }: Response, what: string, cause?: unknown): TollgateError {
  const requestId = headers.get('x-service-request-id') ?? undefined;
  return new TollgateError('INVALID_ANSWER', `the answer is ${what}`, { status, requestId, cause });
}
