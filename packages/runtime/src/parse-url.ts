/**
 * Returns undefined for text that is not a URL. Do not use `URL.canParse`: in Node 20, once it is optimized, it rejects
 * Latin-1 host names.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
