// Checks refusals, and reads everything that a tenant can read about itself.
import type { ApiResponse, Json } from '@tollgate/testkit';
import { ask, type Operation } from '../system/api-document.js';
import { nativeErrorFaults } from '../system/native-error.js';
import type { Tenant } from '../system/tenant.js';

/** Returns the faults of a refusal: it must be an error in the format that SPEC defines for the route. */
export function refusalFaults(
  { path }: Operation,
  answer: ApiResponse,
  expected: readonly number[] | 'no data',
): string[] {
  const { status, body, text } = answer;
  if (expected === 'no data') return status >= 500 ? [`${status} ${text}`] : [];
  if (!expected.includes(status)) return [`${status} instead of ${expected.join(' or ')}: ${text.slice(0, 200)}`];
  if (path.startsWith('/v1beta/')) return isGoogleError(body) ? [] : [`no Google-shaped error: ${text}`];
  if (path.startsWith('/v1/')) return vendorErrorFaults(path, body).map((fault) => `${fault}: ${text}`);
  if (/\/(webhooks|tool-hooks)\b/.test(path))
    return typeof body?.error === 'string' ? [] : [`no simple error: ${text}`];
  return nativeErrorFaults(answer);
}

function isGoogleError({ error }: Json): boolean {
  return Number.isInteger(error?.code) && typeof error.status === 'string' && Array.isArray(error.details);
}

function vendorErrorFaults(path: string, body: Json): string[] {
  const { error } = body ?? {};
  if (typeof error?.message !== 'string' || typeof error.type !== 'string') return ['no error of a vendor'];
  if (path.startsWith('/v1/messages')) return body.type === 'error' ? [] : ['no Anthropic-shaped error'];
  return 'param' in error && 'code' in error ? [] : ['no OpenAI-shaped error'];
}

/** The log grows with what its owner does; the live view shows the last minute. */
const PASSING = /\/(audit-log|requests\/live)$/;

/** Every GET with every credential of the tenant that it accepts: the body, or the status if it is not 200. */
export async function takeReadings(tenant: Tenant, operations: readonly Operation[]): Promise<Record<string, unknown>> {
  const readings: Record<string, unknown> = {};
  for (const operation of operations) {
    if (operation.method !== 'GET' || PASSING.test(operation.path)) continue;
    for (const kind of operation.accepts) {
      const { status, body, text } = await ask(tenant.as[kind], operation, tenant.values);
      readings[`${operation.name} as ${kind}`] = status === 200 ? steady(body ?? text) : status;
    }
  }
  return readings;
}

/** Removes values that reading or time itself changes: a default range of time ends now. */
function steady(body: Json): Json {
  if (Array.isArray(body)) return body.map(steady);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== 'last_used_at' && !('interval' in body && (name === 'from' || name === 'to')))
      .map(([name, value]) => [name, steady(value)]),
  );
}
