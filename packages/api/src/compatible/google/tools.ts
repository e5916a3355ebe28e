import { z } from 'zod';
import { jsonObject } from '../../values/json-object.js';
import { googleObject } from './contents.js';

/** Tools of `POST /v1beta/models/…:generateContent`. Source: `Tool` and `ToolConfig` of `@google/genai` 3.1. */

const FUNCTIONS_MAX = 1_024;
const NAME_CHARS_MAX = 256;

const functionDeclaration = googleObject({
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_.:-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, colons, dashes or underscores'),
  description: z.string().nullish(),
  /** In the vendor's own form of schemas. */
  parameters: jsonObject.nullish(),
  parametersJsonSchema: jsonObject.nullish(),
  /** The same as the vendor's Python library writes it. */
  parameters_json_schema: jsonObject.nullish(),
});

/** Tools that are supported. The vendor runs the searches and the code, the client the rest. */
const supported = new Set(['functionDeclarations', 'googleSearch', 'codeExecution', 'computerUse']);

const refusals: Readonly<Record<string, string>> = {
  googleSearchRetrieval: 'use googleSearch instead',
  urlContext: 'the pages that the model reads have no bound',
  fileSearch: 'files are not stored',
  retrieval: 'files are not stored',
  mcpServers: 'MCP servers are not supported',
};

export const googleTool = googleObject({
  functionDeclarations: z.array(functionDeclaration).max(FUNCTIONS_MAX).nullish(),
  googleSearch: googleObject({
    searchTypes: googleObject({}, { imageSearch: 'searches for images have no price in the catalog' }).nullish(),
  }).nullish(),
  codeExecution: jsonObject.nullish(),
  computerUse: jsonObject.nullish(),
}).superRefine((tool, ctx) => {
  for (const name in tool) {
    if (supported.has(name) || tool[name] === undefined || tool[name] === null || name.includes('_')) continue;
    const reason = Object.hasOwn(refusals, name) ? refusals[name] : 'it may have a price that is not known';
    ctx.addIssue({ code: 'custom', path: [name], message: `tools of type ${name} are not supported: ${reason}` });
  }
});

export const googleToolConfig = googleObject({
  functionCallingConfig: googleObject({
    mode: z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']).nullish(),
    allowedFunctionNames: z.array(z.string().min(1).max(NAME_CHARS_MAX)).max(FUNCTIONS_MAX).nullish(),
  }).nullish(),
});

export type GoogleTool = z.output<typeof googleTool>;
export type GoogleToolConfig = z.output<typeof googleToolConfig>;
export type GoogleFunctionDeclaration = z.output<typeof functionDeclaration>;

/** Returns the functions of all tools. */
export function listGoogleFunctions(tools: readonly GoogleTool[] | null | undefined): GoogleFunctionDeclaration[] {
  return (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
}
