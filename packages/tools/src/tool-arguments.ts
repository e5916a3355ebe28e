import { z } from 'zod';
import { toolLimits } from './limits.js';
import { type ToolError, toolError } from './tool-error.js';
import type { ServerToolName } from './tool-names.js';

// Bounds with an error text of the contract (keys, values, memory) are checked where the state changes, not here.
const key = z
  .string()
  .describe(
    'Letters, digits, "_", "." and "-"; namespaced with "/", for example "user/name". ' +
      `At most ${toolLimits.keyBytes} bytes.`,
  );
const text = (chars: number) => storable().min(1).max(chars);
const messageBody = z.record(z.string(), z.unknown()).describe('A JSON object.');

/** Arguments of each server-side tool. Members that are not listed are dropped. */
export const toolArguments = {
  kv_write: z.object({
    key,
    value: storable().describe(`At most ${toolLimits.valueBytes} bytes.`),
  }),
  kv_read: z.object({ key }),
  kv_list: z.object({}),
  kv_delete: z.object({ key }),
  tasks_write: z.object({
    tasks: z
      .array(z.object({ content: storable(), status: z.enum(['pending', 'in_progress', 'completed']) }))
      .max(toolLimits.tasks),
  }),
  memory_write: z.object({
    content: storable().describe(`The complete new memory, at most ${toolLimits.memoryBytes} bytes.`),
  }),
  message_send: z.object({
    to: text(255).describe('"agent:<slug>@<project_id>" or "run:<run_id>".'),
    subject: text(1_000),
    body: messageBody,
    thread_id: z.guid().optional().describe('Thread to continue. Without it, a new thread is started.'),
  }),
  message_inbox: z.object({
    limit: z.int().min(1).max(toolLimits.inboxMessages).default(20),
  }),
  message_reply: z.object({
    message_id: z.guid().describe('The message to reply to.'),
    body: messageBody,
    subject: text(1_000).optional().describe('Default: the subject of the message, prefixed with "Re: ".'),
  }),
  image_generation: z.object({
    prompt: text(32_000),
    response_format: z.enum(['b64_json', 'url']).optional(),
  }),
  web_search: z.object({
    query: text(400),
    num_results: z.int().min(1).max(toolLimits.searchResults).default(5),
    site: text(253)
      .regex(/^[A-Za-z0-9.-]+$/, 'must be a host name')
      .optional()
      .describe('Return only results from this host name, for example "example.com".'),
  }),
  web_fetch: z.object({
    url: text(2_048),
    max_length: z
      .int()
      .min(1)
      .max(toolLimits.fetchedChars)
      .optional()
      .describe('Maximum number of characters to return.'),
  }),
} as const satisfies Record<ServerToolName, z.ZodObject>;

/** Text that a database can keep: PostgreSQL has no U+0000, and half of a surrogate pair is not a character. */
function storable() {
  return z.string().refine((value) => !/[\0\p{Surrogate}]/u.test(value), 'has characters that cannot be stored');
}

/** Arguments of one tool, checked and with defaults filled in. */
export type ToolArguments<Name extends ServerToolName> = z.output<(typeof toolArguments)[Name]>;

/** Outcome of checking the arguments that a model wrote. */
export type ParsedArguments<Name extends ServerToolName> =
  | { ok: true; arguments: ToolArguments<Name> }
  | { ok: false; error: ToolError<'INVALID_INPUT'> };

/** Checks the arguments of a call: JSON text as the model wrote it. Empty text counts as no arguments. */
export function parseToolArguments<Name extends ServerToolName>(name: Name, json: string): ParsedArguments<Name> {
  let value: unknown;
  try {
    value = json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return { ok: false, error: toolError('INVALID_INPUT', 'the arguments are not valid JSON') };
  }
  return checkToolArguments(name, value);
}

/** Checks arguments that have been parsed already. */
export function checkToolArguments<Name extends ServerToolName>(name: Name, value: unknown): ParsedArguments<Name> {
  const parsed = toolArguments[name].safeParse(value);
  if (parsed.success) return { ok: true, arguments: parsed.data as ToolArguments<Name> };
  return { ok: false, error: toolError('INVALID_INPUT', describe(parsed.error)) };
}

/** Lists every fault in one line, so that the model can fix all of them at once. */
function describe(error: z.ZodError): string {
  const faults = error.issues.map(
    ({ path, message }) => `${path.length > 0 ? path.join('.') : 'arguments'}: ${message}`,
  );
  return `invalid arguments: ${faults.join('; ')}`;
}
