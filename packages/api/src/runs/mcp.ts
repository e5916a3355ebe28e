import { z } from 'zod';

/** An id that a client chose; null and fractions are not allowed by the protocol. */
const jsonRpcId = z.union([z.string().max(256), z.int()]);

/** `POST /v1/mcp`: one request or notification of JSON-RPC 2.0. The protocol's library checks the rest by the method. */
export const mcpMessageBody = z.object({
  jsonrpc: z.literal('2.0'),
  /** Absent in a notification. */
  id: jsonRpcId.optional(),
  method: z.string().min(1).max(256),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** Params of `notifications/cancelled`. */
export const cancellationParams = z.object({ requestId: jsonRpcId });

/** The answer to a request, or a notification in the stream of a tool call. */
export const mcpResponse = z.object({
  jsonrpc: z.literal('2.0'),
  id: jsonRpcId.nullable().optional(),
  /** Of a notification. */
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** Arguments of an agent that is called as a tool of the Model Context Protocol. */
export const agentToolArguments = z.strictObject({
  input: z.string().min(1).max(1_000_000).describe('The task or question for the agent, in plain text.'),
});

export type McpMessage = z.output<typeof mcpMessageBody>;
