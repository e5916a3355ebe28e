import type { IncomingHttpHeaders } from 'node:http';

/** The subprotocol that clients of the Realtime API name. */
export const REALTIME = 'realtime';
/** Browsers cannot set headers: OpenAI's library sends the credential as a subprotocol. Source: `realtime/websocket.ts`, 6.49. */
const CREDENTIAL_PREFIX = 'openai-insecure-api-key.';

/** Moves a credential from the subprotocols to the header that is read everywhere. A header wins. */
export function takeCredential(headers: IncomingHttpHeaders): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const found = offered.find((name) => name.startsWith(CREDENTIAL_PREFIX));
  if (found === undefined || headers.authorization !== undefined) return;
  headers.authorization = `Bearer ${found.slice(CREDENTIAL_PREFIX.length)}`;
}
