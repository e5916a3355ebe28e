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

const AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/**
 * Returns one URL per host of a URL that names several, separated by commas, each with an optional port; `URL` does not parse
 * such a URL. Returns undefined unless all of them are URLs. The parameter `target_session_attrs` stays.
 */
export function splitHosts(text: string): string[] | undefined {
  const [, before, hosts, after] = AUTHORITY.exec(text) ?? [];
  if (hosts === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  const areNamed = urls.length === 1 || !hosts.split(',').includes('');
  return areNamed && urls.every((url) => parseUrl(url) !== undefined) ? urls : undefined;
}
