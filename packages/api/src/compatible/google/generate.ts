import { z } from 'zod';
import { jsonObject } from '../../values/json-object.js';
import { googleContent, googleObject, googleSystemInstruction } from './contents.js';
import { type GoogleTool, type GoogleToolConfig, googleTool, googleToolConfig, listGoogleFunctions } from './tools.js';

/**
 * Body of `POST /v1beta/models/…:generateContent`. Loose: further members go to Google unchanged, and other providers may ignore
 * them as hints (`safetySettings`, `labels`). Features that would require storage, or that have no price, are rejected.
 * Source: `generateContentParametersToMldev` of `@google/genai` 3.1.
 */

const CONTENTS_MAX = 10_000;
const TOOLS_MAX = 128;
const SETTINGS_MAX = 64;
const STOP_ENTRIES_MAX = 8;
const STOP_CHARS_MAX = 128;
const NAME_CHARS_MAX = 256;

const NO_PRICE = 'is not supported: it has no price in the catalog';

const generationConfig = googleObject(
  {
    maxOutputTokens: z.int().min(1).max(2_147_483_647).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    topP: z.number().min(0).max(1).nullish(),
    topK: z.number().min(0).max(1_000_000).nullish(),
    candidateCount: z.literal(1, { error: 'only one candidate per request is supported' }).nullish(),
    stopSequences: z.array(z.string().min(1).max(STOP_CHARS_MAX)).max(STOP_ENTRIES_MAX).nullish(),
    responseMimeType: z.string().max(NAME_CHARS_MAX).nullish(),
    /** In the vendor's own form of schemas. */
    responseSchema: jsonObject.nullish(),
    responseJsonSchema: jsonObject.nullish(),
    responseModalities: z
      .array(z.enum(['TEXT', 'MODALITY_UNSPECIFIED'], { error: 'only text answers have a price' }))
      .max(SETTINGS_MAX)
      .nullish(),
    thinkingConfig: googleObject({
      includeThoughts: z.boolean().nullish(),
      thinkingBudget: z.int().min(-1).nullish(),
      thinkingLevel: z.enum(['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH']).nullish(),
    }).nullish(),
    presencePenalty: z.number().nullish(),
    frequencyPenalty: z.number().nullish(),
    responseLogprobs: z.boolean().nullish(),
    logprobs: z.int().nullish(),
    mediaResolution: z.string().max(NAME_CHARS_MAX).nullish(),
  },
  {
    speechConfig: `speechConfig ${NO_PRICE}`,
    imageConfig: `imageConfig ${NO_PRICE}`,
    routingConfig: 'routingConfig is not supported: other models have other prices',
    modelConfig: 'modelConfig is not supported: other models have other prices',
    generationOutputConfig: 'generationOutputConfig is not supported: answers are not stored',
  },
);

const generate = {
  contents: z.array(googleContent).min(1).max(CONTENTS_MAX),
  systemInstruction: googleSystemInstruction.nullish(),
  tools: z.array(googleTool).max(TOOLS_MAX).nullish(),
  toolConfig: googleToolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  safetySettings: z.array(jsonObject).max(SETTINGS_MAX).nullish(),
  /** The model is named by the path. */
  model: z.string().max(NAME_CHARS_MAX).nullish(),
  store: z.literal(false, { error: 'requests are not stored: send store: false, or leave it out' }).nullish(),
  /** A tier that costs more than the usual one needs a price in the catalog. */
  serviceTier: z.string().max(NAME_CHARS_MAX).nullish(),
};

const refused = {
  cachedContent: 'cachedContent is not supported: send the content itself',
  continuationToken: 'continuationToken is not supported: the input that it stands for is not known',
  modelArmorConfig: 'modelArmorConfig is not supported: it has no price in the catalog',
};

/** Body of `:generateContent` and `:streamGenerateContent`. */
export const googleGenerateBody = googleObject(generate, refused).superRefine(checkCallingConfig);

/** Body of `:countTokens`: contents, or a whole request. */
export const googleCountTokensBody = googleObject({
  contents: z.array(googleContent).min(1).max(CONTENTS_MAX).nullish(),
  generateContentRequest: googleGenerateBody.nullish(),
}).refine(({ contents, generateContentRequest: request }) => Boolean(contents) !== Boolean(request), {
  message: 'needs either contents or generateContentRequest',
});

export const googleCountTokensResponse = z.object({ totalTokens: z.int() });

export type GoogleGenerateBody = z.output<typeof googleGenerateBody>;
export type GoogleCountTokensBody = z.output<typeof googleCountTokensBody>;

interface Tooled {
  tools?: readonly GoogleTool[] | null | undefined;
  toolConfig?: GoogleToolConfig | null | undefined;
}

function checkCallingConfig({ tools, toolConfig }: Tooled, ctx: z.RefinementCtx): void {
  const { mode, allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {};
  const names = new Set(listGoogleFunctions(tools).map(({ name }) => name));
  const refuse = (message: string): void =>
    ctx.addIssue({ code: 'custom', path: ['toolConfig', 'functionCallingConfig'], message });
  if (mode === 'ANY' && names.size === 0) refuse('the mode ANY needs at least one function');
  const unknown = allowed?.find((name) => !names.has(name));
  if (unknown !== undefined) refuse(`allowedFunctionNames has no declared function: ${unknown}`);
}
