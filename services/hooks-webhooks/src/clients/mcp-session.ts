import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidatorResult, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { Exchange } from './mcp-exchange.js';
import { type Ask, CLIENT_INFO } from './mcp-stateless.js';
import { McpTransport } from './mcp-transport.js';

/** The end of a session delays no answer. */
export const END_TIMEOUT_MS = 2_000;

/** The server did not open a session: it has done nothing. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
}

export interface SessionLimits {
  signal: AbortSignal;
  timeoutMs: number;
  /** Takes the end of the session, which delays no answer. */
  track(end: Promise<unknown>): void;
}

/**
 * Opens a session of a version before 2026-07-28 for the work. Returns undefined if the server no longer knew the session: it has not
 * acted on the last request.
 */
export async function inSession<T>(
  exchange: Exchange,
  { signal, timeoutMs, track }: SessionLimits,
  work: (ask: Ask, version: string) => Promise<T>,
): Promise<{ value: T } | undefined> {
  // The library is large: it is loaded where it is used.
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const transport = new McpTransport(exchange);
  // The client does nothing on behalf of the server, and the tools' schemas are checked elsewhere, within bounds.
  const client = new Client(CLIENT_INFO, { capabilities: {}, jsonSchemaValidator: acceptAll });
  const options = { signal, timeout: timeoutMs };
  const ask: Ask = ({ method, params }, schema) => client.request({ method, params }, schema, options);
  try {
    await client.connect(transport as Parameters<Client['connect']>[0], options).catch((cause: unknown) => {
      throw new HandshakeError('no session', { cause });
    });
    return { value: await work(ask, transport.version ?? '') };
  } catch (error) {
    if (transport.isSessionLost && !signal.aborted) return undefined;
    throw error;
  } finally {
    track(end(transport, client));
  }
}

async function end(transport: McpTransport, client: Client): Promise<void> {
  const timer = setTimeout(() => void client.close().catch(() => undefined), END_TIMEOUT_MS);
  await transport.end().catch(() => undefined);
  clearTimeout(timer);
  await client.close().catch(() => undefined);
}

const acceptAll: jsonSchemaValidator = {
  getValidator: <T>() => {
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};
