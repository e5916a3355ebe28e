import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { readEvents } from './event-stream.js';
import { type ExchangeAnswer, McpRequestError } from './mcp-exchange.js';
import { parseMessages } from './mcp-messages.js';

/** The headers of a request that may be answered as JSON or as a stream. */
export const JSON_OR_STREAM = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** A piece of an answer, with its position in the stream if it has one. */
export interface AnswerPart {
  messages: JSONRPCMessage[];
  id?: string | undefined;
  retryMs?: number | undefined;
}

/** Returns the messages of an answer as they arrive. Skips what is no JSON-RPC. Throws `McpRequestError`. */
export async function* readAnswer({ mediaType, body }: ExchangeAnswer): AsyncGenerator<AnswerPart> {
  if (mediaType === 'application/json') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    yield { messages: parseMessages(Buffer.concat(chunks).toString()) ?? [] };
  } else if (mediaType === 'text/event-stream') {
    for await (const { data, id, retryMs } of readEvents(body)) {
      yield { messages: (data && parseMessages(data)) || [], id, retryMs };
    }
  } else throw new McpRequestError('the answer is neither JSON nor a stream of events', 'protocol');
}

export function noResult(): McpRequestError {
  return new McpRequestError('the server ended its answer without a result', 'protocol');
}
