import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';

/** Tools of `POST /v1/messages`. Source: `BetaToolUnion` of `@anthropic-ai/sdk` 1.12. */

const NAME_CHARS_MAX = 256;

const name = z
  .string()
  .regex(/^[a-zA-Z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

const customTool = z.looseObject({
  type: z.literal('custom').nullish(),
  name,
  description: z.string().nullish(),
  input_schema: jsonObject,
});

/** Tools of the vendor's own definition that the client runs. They cost only tokens. */
const clientTypes = /^(bash|text_editor|computer|memory)_\d{8}$/;
/** Sets of such tools; each has a name of its own. */
const toolsetTypes = /^(computer|browser)_toolset_\d{8}$/;
const searchTypes = /^web_search_\d{8}$/;
const fetchTypes = /^web_fetch_\d{8}$/;
/** Finds tools that are loaded later. Costs only tokens. */
const toolSearchTypes = /^tool_search_tool_(bm25|regex)(_\d{8})?$/;

const refusals: readonly (readonly [types: RegExp, reason: string])[] = [
  [/^code_execution_/, 'containers are not supported'],
  [/^advisor_/, 'other models have other prices'],
  [/^mcp_toolset/, 'MCP servers are not supported'],
];

const ofVendor = z.looseObject({
  type: z.string().max(NAME_CHARS_MAX),
  name: name.optional(),
  max_uses: z.int().min(1).nullish(),
  max_content_tokens: z.int().min(1).nullish(),
  allowed_domains: z.array(z.string()).nullish(),
  blocked_domains: z.array(z.string()).nullish(),
  user_location: jsonObject.nullish(),
});

/** The kind of a tool that the vendor has defined. */
export type MessagesToolKind = 'client' | 'toolset' | 'search' | 'fetch' | 'tool_search';

const vendorTool = ofVendor.superRefine(({ type }, ctx) => {
  if (toolKind(type) === undefined) ctx.addIssue({ code: 'custom', ...unsupported(type) });
});

export const messagesTool = z.union([customTool, vendorTool]);

/** A tool that a message adds. Tools that the vendor runs must be declared with the request. */
export const messagesAddedTool = z.union([
  customTool,
  ofVendor.superRefine(({ type }, ctx) => {
    if (toolKind(type) !== 'client') ctx.addIssue({ code: 'custom', ...unsupported(type) });
  }),
]);

export type MessagesTool = z.output<typeof messagesTool>;
export type MessagesCustomTool = z.output<typeof customTool>;
export type MessagesVendorTool = z.output<typeof vendorTool>;

export function isCustomTool(tool: MessagesTool): tool is MessagesCustomTool {
  return tool.type === undefined || tool.type === null || tool.type === 'custom';
}

/** Returns the kind of a tool; undefined for types that are not supported. */
export function toolKind(type: string): MessagesToolKind | undefined {
  if (clientTypes.test(type)) return 'client';
  if (toolsetTypes.test(type)) return 'toolset';
  if (searchTypes.test(type)) return 'search';
  if (fetchTypes.test(type)) return 'fetch';
  return toolSearchTypes.test(type) ? 'tool_search' : undefined;
}

function unsupported(type: string): { path: string[]; message: string } {
  if (type === 'custom') return { path: ['input_schema'], message: 'must be a JSON schema' };
  const reason = refusals.find(([types]) => types.test(type))?.[1] ?? 'it may have a price that is not known';
  return { path: ['type'], message: `tools of type ${type} are not supported: ${reason}` };
}
