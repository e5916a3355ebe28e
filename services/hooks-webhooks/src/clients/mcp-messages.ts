import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '@tollgate/runtime';
import { parseJson } from '../domain/json-value.js';

/** Members of a result in which null means null; anywhere else in the results that are read here, it means absent. */
const WITH_NULLS = new Set(['structuredContent', 'inputSchema', 'outputSchema']);

/**
 * Returns the messages of an answer, which may be a batch; undefined if it is none. Servers in languages without optional
 * members send null for absent ones, which the protocol's library refuses.
 */
export function parseMessages(text: string): JSONRPCMessage[] | undefined {
  const parsed = parseJson(text);
  const given = Array.isArray(parsed) ? parsed : [parsed];
  const messages = given.filter((message) => isJsonObject(message) && message.jsonrpc === '2.0');
  return messages.length === 0 ? undefined : messages.map((message) => withoutNulls(message) as JSONRPCMessage);
}

/** Returns whether a message answers the request, and under which id. An error may name no id: the request could not be read. */
export function toAnswer(request: JSONRPCMessage, message: JSONRPCMessage): JSONRPCMessage | undefined {
  if (!('id' in request) || 'method' in message) return undefined;
  if (!('result' in message) && !('error' in message)) return undefined;
  if ('id' in message && message.id !== undefined && String(message.id) !== String(request.id)) return undefined;
  return { ...message, id: request.id } as JSONRPCMessage;
}

export interface RpcError {
  code: number;
  /** The server's own text. */
  message: string;
  data: unknown;
}

/** Returns the JSON-RPC error in the body of a refused request. */
export function readRpcError(body: string): RpcError | undefined {
  const [message] = parseMessages(body) ?? [];
  if (!message || !('error' in message) || !isJsonObject(message.error)) return undefined;
  return { code: Number(message.error.code), message: String(message.error.message), data: message.error.data };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const present = Object.entries(value).filter(([key, member]) => member !== null && key !== '__proto__');
  const keep = ([key, member]: [string, unknown]) => [key, WITH_NULLS.has(key) ? member : withoutNulls(member)];
  return Object.fromEntries(present.map(keep));
}
