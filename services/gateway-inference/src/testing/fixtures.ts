import { readFileSync } from 'node:fs';

/** Text of a provider's recorded-shape fixture. */
export function fixture(provider: string, name: string): string {
  return readFileSync(new URL(`../providers/${provider}/__fixtures__/${name}`, import.meta.url), 'utf8');
}
