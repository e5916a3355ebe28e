/** Where public repositories are; anything else is an operator's own server. */
export const GITHUB_API_URL = 'https://api.github.com';
export const GITHUB_CODELOAD_URL = 'https://codeload.github.com';

export interface CompileConfig {
  apiUrl: string;
  codeloadUrl: string;
  /** Raises the rate limit. */
  token: string | undefined;
  /** For requests that name no model; undefined = they are refused, unless a customer's tier has a default. */
  defaultModel: string | undefined;
}

/** An operator who names addresses of his own may mean private ones; users cannot name any. */
export function mayBePrivate({ apiUrl, codeloadUrl }: CompileConfig): boolean {
  return apiUrl !== GITHUB_API_URL || codeloadUrl !== GITHUB_CODELOAD_URL;
}
