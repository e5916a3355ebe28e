import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/** Tools of `POST /v1/responses`. Source: `Tool` of the official `openai` client library, version 7.57. */

const TOOLS_MAX = 1_024;
const TYPE_CHARS_MAX = 64;

const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonObject.nullish(),
  strict: z.boolean().nullish(),
});
/** Its input is a text of any form, or of a grammar. */
const customTool = z.looseObject({
  type: z.literal('custom'),
  name: toolName,
  description: z.string().nullish(),
  format: z.looseObject({ type: z.string().max(TYPE_CHARS_MAX), definition: z.string().optional() }).nullish(),
});
const namespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name: toolName,
  description: z.string().nullish(),
  tools: z.array(z.discriminatedUnion('type', [functionTool, customTool], { error: unsupportedTool })).max(TOOLS_MAX),
});
const webSearchTool = z.looseObject({
  type: z.enum(['web_search', 'web_search_2025_08_26']),
  filters: jsonObject.nullish(),
  user_location: jsonObject.nullish(),
});
/** Finds tools that are loaded later, at the vendor or by the client. */
const toolSearchTool = z.looseObject({
  type: z.literal('tool_search'),
  execution: z.enum(['server', 'client']).nullish(),
  description: z.string().nullish(),
  parameters: jsonObject.nullish(),
});
/** Runs at the client. In a container of the vendor it would have a price of its own. */
const shellTool = z.looseObject({
  type: z.literal('shell'),
  environment: z.looseObject({
    type: z.literal('local', { error: 'only the local environment is supported: containers have no price' }),
  }),
});
/** Tools that the client runs: their calls and outputs cost only tokens. */
const clientTool = z.looseObject({
  type: z.enum(['local_shell', 'apply_patch', 'computer', 'computer_use_preview']),
});

export const responsesTool = z.discriminatedUnion(
  'type',
  [functionTool, customTool, namespaceTool, webSearchTool, toolSearchTool, shellTool, clientTool],
  { error: unsupportedTool },
);

export const responsesTools = z.array(responsesTool).max(TOOLS_MAX);

export type ResponsesTool = z.output<typeof responsesTool>;

/** The reasons for which tools of the vendor are rejected. */
const refusedTools: Record<string, string> = {
  code_interpreter: 'containers have no price',
  file_search: 'files are not stored',
  image_generation: 'its images have no price here; use POST /api/v1/images/generate',
  mcp: 'the cost of remote servers has no bound',
  programmatic_tool_calling: 'the cost of programs at the vendor has no bound',
  web_search_preview: 'use web_search',
  web_search_preview_2025_03_11: 'use web_search',
};

function unsupportedTool({ code, input }: { code?: string; input?: unknown }): string | undefined {
  if (code !== 'invalid_union') return undefined;
  const type = String((input as { type?: unknown } | null)?.type);
  const reason = Object.hasOwn(refusedTools, type) ? refusedTools[type] : 'it may have a price that is not known';
  return `tools of type ${type} are not supported: ${reason}`;
}
