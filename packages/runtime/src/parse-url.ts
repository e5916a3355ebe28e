/** Undefined for what is no URL. `URL.canParse` would lie: Node 20 refuses Latin-1 host names once it is compiled hot. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
