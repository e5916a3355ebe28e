// The native error envelope of SPEC "Errors", checked without the service's own schema.
import type { ApiResponse, Json } from '@tollgate/testkit';

const LAYERS = ['request', 'routing', 'modelrelay', 'provider_integration', 'upstream'];
const CAUSES = [
  'validation',
  'authentication',
  'authorization',
  'rate_limit',
  'timeout',
  'canceled',
  'transport',
  'upstream_response',
  'invalid_response',
  'unavailable',
  'internal',
];
/** The codes of the compile endpoints are in lower case. */
const CODE =
  /^([A-Z][A-Z_]+|invalid_source|source_or_files_required|(plugin|skill)_not_found|parse_failed|generation_failed|rate_limited)$/;
const OPTIONAL_TEXTS = ['detail', 'request_id', 'provider_request_id', 'batch_id', 'item_id'];

/** Returns the faults of an error answer of a native endpoint; empty if it is valid. */
export function nativeErrorFaults({ status, headers, body, requestId }: ApiResponse): string[] {
  if (body === undefined) return ['no JSON'];
  const faults = failureFaults(body);
  if (body.error !== 'api_error') faults.push(`error is ${body.error}`);
  if (!String(headers['content-type']).startsWith('application/json')) faults.push('content type is not JSON');
  if (body.request_id !== requestId) faults.push(`request_id ${body.request_id} is not the header's ${requestId}`);
  if (status === 502 || status === 504) faults.push(`wire status ${status}`);
  const isUpstream = headers['x-service-upstream-status'] !== undefined;
  if (!isUpstream && body.status_code !== status) faults.push(`status_code ${body.status_code}, wire ${status}`);
  for (const failure of body.failures ?? [])
    faults.push(...failureFaults(failure).map((fault) => `failures: ${fault}`));
  return faults;
}

function failureFaults(failure: Json): string[] {
  const faults: string[] = [];
  const check = (name: string, isRight: boolean) =>
    isRight || faults.push(`${name} is ${JSON.stringify(failure[name])}`);
  check('code', CODE.test(failure.code));
  check('message', typeof failure.message === 'string' && failure.message !== '');
  check('layer', LAYERS.includes(failure.layer));
  check('cause', CAUSES.includes(failure.cause));
  check(
    'status_code',
    Number.isInteger(failure.status_code) && failure.status_code >= 400 && failure.status_code < 600,
  );
  check('retryable', typeof failure.retryable === 'boolean');
  for (const name of OPTIONAL_TEXTS) check(name, failure[name] === undefined || typeof failure[name] === 'string');
  return faults;
}
