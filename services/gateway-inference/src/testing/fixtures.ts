import { readFileSync } from 'node:fs';

/** Returns the text of a provider's fixture. */
export function fixture(provider: string, name: string): string {
  return readFileSync(new URL(`../providers/${provider}/__fixtures__/${name}`, import.meta.url), 'utf8');
}
