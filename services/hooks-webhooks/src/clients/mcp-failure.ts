import { z } from 'zod';
import { McpRequestError } from './mcp-exchange.js';
import { HandshakeError } from './mcp-session.js';
import { McpResultError, McpRpcError, UnknownVersionsError } from './mcp-stateless.js';

export interface McpFailure {
  ok: false;
  /** Contains no text of the server. */
  message: string;
  /** The text of the server's JSON-RPC error. Redact it, then cut it. */
  serverText?: string | undefined;
  isTimeout: boolean;
  /** Whether another attempt may succeed. */
  isRetryable: boolean;
  /** The HTTP status, if that was the failure. */
  status: number | undefined;
}

export type McpReply<T> = { ok: true; value: T } | McpFailure;

/** Failures of requests that no other attempt changes. */
const finalReasons = new Set(['too_large', 'invalid_url', 'blocked_address']);

export function toLate(timeoutMs: number): McpFailure {
  const message = `no complete answer within ${timeoutMs} ms`;
  return { ok: false, message, isTimeout: true, isRetryable: true, status: undefined };
}

export const sessionLost: McpFailure = {
  ok: false,
  message: 'the server does not know the session that it opened',
  isTimeout: false,
  isRetryable: true,
  status: 404,
};

export function toFailure(thrown: unknown, timeoutMs: number): McpFailure {
  const error = thrown instanceof HandshakeError ? thrown.cause : thrown;
  if (error instanceof McpRequestError) {
    const { reason, status, message, rpcError } = error;
    if (reason === 'timeout') return toLate(timeoutMs);
    const isRetryable = status === undefined ? !finalReasons.has(reason) : status === 429 || status >= 500;
    return { ok: false, message, serverText: rpcError?.message, isTimeout: false, isRetryable, status };
  }
  const failed = { ok: false, isTimeout: false, isRetryable: false, status: undefined } as const;
  if (error instanceof McpResultError) return { ...failed, message: error.message };
  if (error instanceof UnknownVersionsError) {
    const message = 'the server speaks no version of MCP that Tollgate speaks';
    return { ...failed, message, serverText: error.message };
  }
  if (error instanceof z.core.$ZodError) return { ...failed, message: 'the answer is not valid' };
  const code = readCode(error);
  const message =
    typeof code === 'number' ? `the server answered with the JSON-RPC error ${code}` : 'the server does not speak MCP';
  return { ...failed, message, serverText: readMessage(error) };
}

function readCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The library puts the code before the message of a JSON-RPC error. */
function readMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'the server could not be used';
  const prefix = `MCP error ${readCode(error)}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}

/** Statuses that say nothing about the version. */
const OTHER_CAUSES = new Set([401, 403, 408, 429]);
const UNKNOWN_TO_SERVER = new Set([-32_022, -32_601]);

/**
 * Returns whether the server may have been replaced by one of another version, which has done nothing: it opened no session, or
 * refused the request.
 */
export function suggestsOtherVersion(error: unknown, wasStateless: boolean): boolean {
  if (!wasStateless && !(error instanceof HandshakeError)) return false;
  if (error instanceof McpRpcError) return UNKNOWN_TO_SERVER.has(error.code);
  const cause = error instanceof HandshakeError ? error.cause : error;
  if (!(cause instanceof McpRequestError)) return error instanceof HandshakeError;
  const { status = 0 } = cause;
  return status >= 400 && status < 500 && !OTHER_CAUSES.has(status);
}
