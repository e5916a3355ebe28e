import { Agent, request } from 'undici';
import type { EndpointClient } from './endpoint-client.js';

export function createEndpointClient(_options: { allowPrivate: boolean }): EndpointClient {
  const agent = new Agent({ connections: 20 });
  return {
    async post({ url, headers, body, timeoutMs, signal }) {
      try {
        const res = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        const text = await res.body.text();
        return {
          kind: 'answered',
          status: res.statusCode,
          retryAfter: res.headers['retry-after'] as string | undefined,
          responseBody: text.slice(0, 1000),
        };
      } catch (error) {
        if (signal.aborted) return { kind: 'interrupted' };
        return { kind: 'unreachable', error: (error as Error).name === 'TimeoutError' ? 'timed out' : String(error) };
      }
    },
    stop: () => agent.destroy(),
  };
}
