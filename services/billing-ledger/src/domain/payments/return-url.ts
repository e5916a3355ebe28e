import type { FieldError } from '@tollgate/errors';
import { parseUrl } from '@tollgate/runtime/parse-url';

const LENGTH_MAX = 2_048;

/** Checks the addresses to which a checkout returns its payer: both must be absolute http(s) URLs. */
export function returnUrlFaults(urls: { successUrl: string; cancelUrl: string }): FieldError[] {
  return [...checkUrl('success_url', urls.successUrl), ...checkUrl('cancel_url', urls.cancelUrl)];
}

function checkUrl(field: string, url: string): FieldError[] {
  if (url === '') return [{ field, message: 'is required' }];
  const isGood = url.length <= LENGTH_MAX && /^https?:$/.test(parseUrl(url)?.protocol ?? '');
  return isGood ? [] : [{ field, message: `must be an http or https URL of at most ${LENGTH_MAX} characters` }];
}
