import type { FieldError } from '@tollgate/errors';
import { parseUrl } from '@tollgate/runtime/parse-url';

const LENGTH_MAX = 2_048;

/** Checks addresses to which a page of the processor returns its payer, by field: each must be an absolute http(s) URL. */
export function returnUrlFaults(urls: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(urls).flatMap(([field, url]) => checkUrl(field, url));
}

function checkUrl(field: string, url: string): FieldError[] {
  if (url === '') return [{ field, message: 'is required' }];
  const isGood = url.length <= LENGTH_MAX && /^https?:$/.test(parseUrl(url)?.protocol ?? '');
  return isGood ? [] : [{ field, message: `must be an http or https URL of at most ${LENGTH_MAX} characters` }];
}
