/** The addresses of public repositories. Any other address is the operator's own server. */
export const GITHUB_API_URL = 'https://api.github.com';
export const GITHUB_CODELOAD_URL = 'https://codeload.github.com';

export interface CompileConfig {
  apiUrl: string;
  codeloadUrl: string;
  /** Raises the rate limit. */
  token: string | undefined;
  /** The model of requests that name none. Undefined: they are rejected unless the customer's tier has a default. */
  defaultModel: string | undefined;
}

/** Private addresses are allowed when the operator has configured an address. Users cannot configure any. */
export function mayBePrivate({ apiUrl, codeloadUrl }: CompileConfig): boolean {
  return apiUrl !== GITHUB_API_URL || codeloadUrl !== GITHUB_CODELOAD_URL;
}
