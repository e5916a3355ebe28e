import { v5 } from 'uuid';

/** Namespace of ids derived from a request's id. Random; must never change. */
const NAMESPACE = '5f0c7f4e-2b5d-4f0f-a1d3-c8a9e7b61d42';

/** Returns a version 5 UUID (RFC 9562): the same parts always give the same id. */
export function derivedId(...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), NAMESPACE);
}
