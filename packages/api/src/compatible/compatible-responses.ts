import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { expandedResponsesItem, type ResponsesSentItem, responsesInputItem } from './compatible-responses-items.js';
import { type ResponsesTool, responsesTools } from './compatible-responses-tools.js';
import { compatibleMetadata } from './metadata.js';

/**
 * Body of `POST /v1/responses`. Loose: further fields go to OpenAI unchanged, and other providers may ignore them as
 * hints. Features that have no price are rejected. Source: the request types of the
 * official `openai` client library, version 7.57.
 */

const ITEMS_MAX = 10_000;
const TOOLS_MAX = 1_024;
const INCLUDES_MAX = 32;
const NAME_CHARS_MAX = 256;
const ID_CHARS_MAX = 256;

const conversationId = z.string().min(1).max(ID_CHARS_MAX);
const absent = (why: string) => z.null({ error: why }).optional();
const chosenTool = z.looseObject({
  type: z.enum(['function', 'custom', 'web_search', 'web_search_2025_08_26', 'local_shell', 'apply_patch', 'shell']),
  name: z.string().min(1).optional(),
});

export const responsesToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  chosenTool,
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(z.looseObject({ type: z.string(), name: z.string().min(1).optional() })).max(TOOLS_MAX),
  }),
]);

export const responsesTextFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
    schema: jsonObject,
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
]);

/** Fields that the input token count shares with the request itself. */
const asked = {
  input: z.union([z.string(), z.array(responsesInputItem).min(1).max(ITEMS_MAX)]),
  model: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  instructions: z.string().nullish(),
  tools: responsesTools.nullish(),
  tool_choice: responsesToolChoice.nullish(),
  text: z.looseObject({ format: responsesTextFormat.nullish() }).nullish(),
  reasoning: z
    .looseObject({
      effort: z.string().nullish(),
      mode: z.literal('standard', { error: 'this mode of reasoning is not supported: it has no price' }).nullish(),
    })
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().min(1).max(ID_CHARS_MAX).nullish(),
  conversation: z.union([conversationId, z.looseObject({ id: conversationId })]).nullish(),
};

/** Without references to stored items: the input is all that the model reads. */
const whole = { input: z.union([z.string(), z.array(expandedResponsesItem).min(1).max(ITEMS_MAX)]) };

const answered = {
  include: z.array(z.string().max(NAME_CHARS_MAX)).max(INCLUDES_MAX).nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).max(2_147_483_647).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  context_management: absent('compaction is not supported: its cost has no bound'),
  moderation: absent('moderation is not supported: it has no price'),
  prompt: absent('prompt templates are not stored: send the instructions themselves'),
  top_logprobs: z.int().min(0).max(20).nullish(),
  /** A tier that costs more than the usual one needs a price in the catalog. */
  service_tier: z.string().max(NAME_CHARS_MAX).nullish(),
  metadata: compatibleMetadata.nullish(),
};

/** Body of `POST /v1/responses`, as clients send it. */
export const compatibleResponsesBody = z.looseObject({ ...asked, ...answered }).superRefine(checkSentResponses);

/** The same once its references are replaced by the items themselves. */
export const expandedResponsesBody = z.looseObject({ ...asked, ...answered, ...whole }).superRefine(checkToolChoice);

/** Body of `POST /v1/responses/input_tokens`. */
export const responsesInputTokensBody = z.looseObject(asked).superRefine(checkSent);

/** The same once its references are replaced by the items themselves. */
export const expandedInputTokensBody = z.looseObject({ ...asked, ...whole }).superRefine(checkToolChoice);

export const countResponseTokensResponse = z.object({
  object: z.literal('response.input_tokens'),
  input_tokens: z.int(),
});

/** A body without references, as converters read it. */
export type CompatibleResponsesBody = z.output<typeof expandedResponsesBody>;
/** A body as clients send it: its input may name stored items. */
export type SentResponsesBody = z.output<typeof compatibleResponsesBody>;
export type SentInputTokensBody = z.output<typeof responsesInputTokensBody>;

type Sent = Pick<SentResponsesBody, 'input' | 'tools' | 'tool_choice' | 'previous_response_id' | 'conversation'>;

/** Returns the id of the conversation to which a request belongs; undefined without one. */
export function toConversationId({ conversation }: Pick<Sent, 'conversation'>): string | undefined {
  return (typeof conversation === 'object' ? conversation?.id : conversation) ?? undefined;
}

/** Returns the ids of the stored items that the input names. */
export function listItemReferences({ input }: Pick<Sent, 'input'>): string[] {
  if (typeof input === 'string') return [];
  const ids = input.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []));
  return [...new Set(ids)];
}

/** Whether the input of the body is all that the model reads. */
export function isSelfContained<B extends Sent>(body: B): body is B & Pick<CompatibleResponsesBody, 'input'> {
  return !body.previous_response_id && !body.conversation && listItemReferences(body).length === 0;
}

/** A tool under the name by which the model calls it. */
export interface NamedTool {
  tool: Exclude<ResponsesTool, { type: 'namespace' }>;
  namespace: { name: string; description?: string | null | undefined } | undefined;
}

/** Returns all tools of a body: those that it declares, those that its items add, and those inside namespaces. */
export function listResponsesTools({ tools, input }: Pick<Sent, 'tools' | 'input'>): NamedTool[] {
  const declared = [...(tools ?? [])];
  if (typeof input !== 'string') for (const item of input) declared.push(...addedTools(item));
  return declared.flatMap(openNamespace);
}

function addedTools(item: ResponsesSentItem): readonly ResponsesTool[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools : [];
}

function openNamespace(tool: ResponsesTool): NamedTool[] {
  if (tool.type !== 'namespace') return [{ tool, namespace: undefined }];
  return tool.tools.map((inner) => ({ tool: inner, namespace: tool }));
}

function checkSent(body: Sent, ctx: z.RefinementCtx): void {
  if (body.previous_response_id && body.conversation) {
    const message = 'must not be sent together with conversation, which has its own history';
    ctx.addIssue({ code: 'custom', path: ['previous_response_id'], message });
  }
  // Tools may be declared by items that are still to be looked up.
  if (isSelfContained(body)) checkToolChoice(body, ctx);
}

function checkSentResponses(body: Sent & Flags, ctx: z.RefinementCtx): void {
  checkBackground(body, ctx);
  checkSent(body, ctx);
}

/** Members of a body that say how it is answered. */
type Flags = Partial<Record<'background' | 'store', boolean | null | undefined>>;

/** The answer is read later, so it must be stored. */
function checkBackground({ background, store }: Flags, ctx: z.RefinementCtx): void {
  if (!background) return;
  if (store === false) {
    const message = 'must not be false with background, whose answer is read later';
    ctx.addIssue({ code: 'custom', path: ['store'], message });
  }
}

function checkToolChoice(body: Pick<Sent, 'input' | 'tools' | 'tool_choice'>, ctx: z.RefinementCtx): void {
  const { tool_choice: choice } = body;
  if (choice === undefined || choice === null || choice === 'none' || choice === 'auto') return;
  const refuse = (message: string): void => ctx.addIssue({ code: 'custom', path: ['tool_choice'], message });
  const declared = listResponsesTools(body);
  if (choice === 'required') {
    if (declared.length === 0) refuse('required needs at least one tool');
    return;
  }
  const isDeclared = ({ type, name }: { type: string; name?: string | undefined }): boolean =>
    declared.some(({ tool, namespace }) => {
      if (type === 'namespace') return namespace?.name === name;
      return tool.type === type && (name === undefined || ('name' in tool && tool.name === name));
    });
  const chosen = choice.type === 'allowed_tools' ? choice.tools : [choice];
  const unknown = chosen.find((tool) => !isDeclared(tool));
  if (unknown) refuse(`names no declared ${unknown.type} tool: ${unknown.name ?? unknown.type}`);
}
