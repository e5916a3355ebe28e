import type { ProviderId, ResponsesBody, Tool } from '@tollgate/api/model-requests';
import { canonicalToolName, offeredFunction, toolDefinition, underscoredToolName } from '@tollgate/tools';
import type { FunctionTool, ProviderTool } from '../../domain/model-request.js';
import { declareTool, type StorageContext, type TurnTools } from '../../domain/turn-tools.js';
import type { Capability } from '../dialect.js';

/** Name under which a model calls a tool of type image_generation. */
const IMAGE_TOOL = 'image_generation';

/** Returns the tools that the model may call. Fills in the members of server-side tools that the client left out. */
export function functionTools(body: ResponsesBody): FunctionTool[] {
  const tools: FunctionTool[] = [];
  for (const { type, function: fn } of body.tools ?? []) {
    if (type === 'image_generation') tools.push(toolDefinition('image_generation'));
    if (type !== 'function' || !fn) continue;
    const { name, description, parameters } = offeredFunction(fn);
    tools.push({ name, description, parameters });
  }
  return tools;
}

/** Tools that run at the provider. */
export function providerTools(body: ResponsesBody): ProviderTool[] {
  const tools: ProviderTool[] = [];
  for (const tool of body.tools ?? []) {
    const { type } = tool;
    if (type === 'web' || type === 'x_search' || type === 'code_execution') {
      tools.push({ type, options: tool[type] ?? {} });
    }
  }
  return tools;
}

/** Returns the tool choice in the spelling of the tool's declaration. */
export function toToolChoice({ tool_choice: choice, tools }: ResponsesBody): ResponsesBody['tool_choice'] {
  if (!choice?.function) return choice;
  const wanted = underscoredToolName(choice.function);
  const declared = tools?.find(({ function: fn }) => fn && underscoredToolName(fn.name) === wanted);
  return { ...choice, function: declared?.function?.name ?? wanted };
}

/** Returns the tools that the service may have to run between model calls; undefined if no tool may be called. */
export function toTurnTools(body: ResponsesBody): TurnTools | undefined {
  if (!body.tools || body.tool_choice?.type === 'none') return undefined;
  const declared = new Map(body.tools.flatMap(toDeclaration));
  const mayPause = providerTools(body).length > 0;
  if (declared.size === 0 && !mayPause) return undefined;
  const image = body.tools.find(({ type }) => type === 'image_generation');
  const imageModel = image?.image_generation?.model;
  return { declared, mayPause, imageModel, maxOutputTokens: body.max_output_tokens };
}

export function toStorage({ state_id: stateId, session_id: sessionId }: ResponsesBody): StorageContext {
  return { stateId, sessionId };
}

/** Returns xAI if the request searches X, which only xAI supports. */
export function findOnlyProvider(body: ResponsesBody): ProviderId | undefined {
  return body.tools?.some(({ type }) => type === 'x_search') ? 'xai' : undefined;
}

export function capabilityOfTool({ type }: Tool): Capability | undefined {
  switch (type) {
    case 'web':
      return 'web_search';
    case 'code_execution':
      return 'code_execution';
    case 'x_search':
      return undefined;
    default:
      return 'tool_use';
  }
}

/** Calls of the image tool have a separate type. */
export function toolCallType(name: string): 'function' | 'image_generation' {
  return canonicalToolName(name) === IMAGE_TOOL ? 'image_generation' : 'function';
}

function toDeclaration({ type, function: fn }: Tool): [ReturnType<typeof declareTool>] | [] {
  if (type === 'image_generation') return [declareTool(IMAGE_TOOL, undefined)];
  return type === 'function' && fn ? [declareTool(fn.name, fn.parameters)] : [];
}
