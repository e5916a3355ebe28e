import { MCP_MESSAGE_CHARS_MAX } from './mcp-server.js';
import type { Redact } from './redaction.js';

/** Describes a failure with the server's own text: for the owner and the log, and the failure of a call for the model. */
export function describeFailure(
  { message, serverText }: { message: string; serverText?: string | undefined },
  redact: Redact,
): string {
  const text = serverText === undefined ? message : `${message}: ${serverText}`;
  return redact(text).slice(0, MCP_MESSAGE_CHARS_MAX);
}
