/** A client of the public API for the seed. Its errors name the method and the path. */
export interface PublicApi {
  call(
    method: string,
    path: string,
    options?: { body?: unknown; credential?: string; accept?: number[] },
    // biome-ignore lint/suspicious/noExplicitAny: answers of the documented API
  ): Promise<{ status: number; body: any }>;
}

const TIMEOUT_MS = 30_000;

export function publicApi(baseUrl: string): PublicApi {
  return {
    async call(method, path, { body, credential, accept = [] } = {}) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(credential && { authorization: `Bearer ${credential}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (!response.ok && !accept.includes(response.status))
        throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return { status: response.status, body: text ? JSON.parse(text) : undefined };
    },
  };
}
