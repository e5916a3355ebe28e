import { createHash } from 'node:crypto';
import type { ProcessorState } from '../processor-state.js';
import { API_ROUTES } from './api-routes.js';
import { expanded } from './expand.js';
import { type Params, parseForm } from './form-data.js';
import { ProcessorError } from './processor-error.js';

export interface ApiRequest {
  method: string;
  path: string;
  query: string;
  body: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  /** The request has no effect, and its answer is 500. */
  isFailing?: boolean;
}

export interface ApiAnswer {
  status: number;
  body: string;
  isReplay?: boolean;
}

/**
 * Answers one request of the processor's API: checks the key, replays repeats, routes it, and renders errors in the
 * processor's form.
 */
export function answerApi(state: ProcessorState, request: ApiRequest): ApiAnswer {
  try {
    authorize(request);
    const key = request.method === 'POST' ? request.idempotencyKey : undefined;
    return key === undefined ? run(state, request) : runOnce(state, request, key);
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    return { status: error.status, body: JSON.stringify(error.body) };
  }
}

function authorize({ authorization, path }: ApiRequest): void {
  const key = authorization?.replace(/^Bearer /, '') ?? '';
  const isPublic = key.startsWith('pk_') && /^\/v1\/setup_intents\/[^/]+\/confirm$/.test(path);
  if (!key.startsWith('sk_') && !isPublic)
    throw new ProcessorError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
}

/**
 * The same key with the same parameters gets the same answer, even after a restart; with other parameters it is
 * rejected.
 */
function runOnce(state: ProcessorState, request: ApiRequest, key: string): ApiAnswer {
  const hash = createHash('sha256').update(`${request.path}\n${request.body}`).digest('hex');
  const kept = state.store.get('double.kept_answer', key);
  if (kept && kept.hash !== hash) {
    throw new ProcessorError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    });
  }
  if (kept) return { status: kept.status, body: kept.body, isReplay: true };
  const answer = run(state, request);
  // A malformed request had no effect and may be repeated.
  if (answer.status !== 400 && answer.status !== 404)
    state.store.put({ id: key, object: 'double.kept_answer', hash, ...answer });
  return answer;
}

function run(state: ProcessorState, request: ApiRequest): ApiAnswer {
  if (request.isFailing)
    return { status: 500, body: JSON.stringify({ error: { type: 'api_error', message: 'An error.' } }) };
  const params: Params = parseForm(request.method === 'POST' ? request.body : request.query);
  try {
    for (const { method, pattern, handle } of API_ROUTES) {
      const match = method === request.method ? pattern.exec(request.path) : null;
      if (!match) continue;
      const object = handle(state, params, decodeURIComponent(match[1] ?? ''));
      return { status: 200, body: JSON.stringify(expanded(state, object, params)) };
    }
    throw new ProcessorError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${request.method}: ${request.path}).`,
    });
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    return { status: error.status, body: JSON.stringify(error.body) };
  }
}
