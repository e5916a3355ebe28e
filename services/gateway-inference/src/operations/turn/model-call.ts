import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { FetchedImages } from '../../clients/web/image-fetcher.js';
import type { Context } from '../../context.js';
import { vendorOnly } from '../../dialects/refused.js';
import { type LinkedImage, listLinkedImages, type ModelRequest } from '../../domain/model-request.js';
import { isCommon, isHint, type RequestedParameter } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { CalledModel, ForwardedRequest, ModelCall, Provider } from '../../providers/contract/provider.js';
import type { TurnPlan, TurnRoute } from './turn-plan.js';

/** As coding agents and runs name the tools of MCP servers. */
const MCP_PREFIX = 'mcp__';
/** Tools that one header names. */
const NAMED_TOOLS_MAX = 20;

/**
 * Returns the call of one route. `mayForward`: no output has been written yet, so provider bytes can still be passed through.
 *
 * @throws AppError for a parameter that the provider lacks, if the project wants such parameters refused
 */
export function toModelCall(plan: TurnPlan, route: TurnRoute, mayForward: boolean): ModelCall {
  const { call, conversation, answers, info, model } = plan;
  const { provider, upstreamModel } = route;
  const called = {
    upstreamModel,
    modelId: model.model_id,
    reasons: model.reasons,
    isReasoningOff: plan.isReasoningOff,
  };
  const own = mayForward ? toForwardedRequest(plan, provider, called) : undefined;
  const forward = fitParameters(plan, provider, called, own);
  const request =
    forward || !provider.toolFault ? () => conversation.request() : fitTools(conversation.request(), info, provider);
  return {
    requestId: call.requestId,
    accountId: call.principal?.accountId ?? '',
    holdId: plan.holdId,
    upstreamModel,
    modelId: model.model_id,
    reasons: model.reasons,
    isStream: plan.delivery !== 'whole',
    // The hold covers all answers, and the provider bounds each of them.
    maxOutputTokens: Math.max(1, Math.floor(conversation.maxOutputTokens / answers)),
    request,
    input: () => conversation.input(),
    encode: plan.encode,
    forward,
  };
}

function toForwardedRequest(plan: TurnPlan, provider: Provider, called: CalledModel): ForwardedRequest | undefined {
  const { forwardable: dialect, canForward } = plan.dialect;
  // A cached answer must be understood, not only passed through.
  if (!dialect || !provider.forwards.includes(dialect) || plan.cacheKey !== undefined) return undefined;
  if (provider.converts?.(called) || (canForward && !canForward(plan.body))) return undefined;
  const stops = plan.dialect.countStops?.(plan.body) ?? 0;
  if (stops > 0 && provider.stopsMax && stops > provider.stopsMax(called)) return undefined;
  const body = plan.body as ForwardedRequest['body'];
  const hasHourCache = plan.model.cache_write_1h_cost_per_million_cents !== undefined;
  const sealsReasoning = plan.responseStorage !== undefined && plan.model.reasons;
  return { dialect, body, modelName: plan.info.model, betas: plan.betas, hasHourCache, sealsReasoning };
}

interface FittedPlan {
  readonly call: Call;
  readonly info: TurnInfo;
  readonly parameters: readonly RequestedParameter[];
}

/**
 * Leaves out the parameters that the provider lacks, or refuses the first parameter that is more than a hint.
 *
 * @throws AppError naming that parameter, as the client writes it, and the setting that leaves it out
 */
export function fitParameters(
  { call, info, parameters }: FittedPlan,
  provider: Provider,
  called: CalledModel,
  forward: ForwardedRequest | undefined,
): ForwardedRequest | undefined {
  const ofModel = provider.lacks?.(called) ?? [];
  const lacks = ({ parameter }: RequestedParameter): boolean => {
    // Conversions carry known parameters only.
    if (parameter === 'unknown') return forward !== undefined;
    if (ofModel.includes(parameter)) return true;
    if (forward) return provider.lackedParameters?.includes(parameter) ?? false;
    return !isCommon(parameter) && !provider.parameters(called.upstreamModel).includes(parameter);
  };
  const lacked = parameters.filter(lacks);
  delete info.droppedParameters;
  if (lacked.length === 0) return forward;
  const refused = call.principal?.dropsUnsupportedParameters ? undefined : lacked.find((each) => !isHint(each));
  if (refused) throw vendorOnly(refused.field, describe(refused));
  info.droppedParameters = lacked.map(({ field }) => field);
  if (!forward) return undefined;
  const body = lacked.reduce(
    (rest, { parameter, field }) => omitField(rest, parameter === 'unknown' ? [field] : field.split('.')),
    forward.body,
  );
  return { ...forward, body };
}

function describe({ parameter, field }: RequestedParameter): string {
  const setting = "the project's setting unsupported_parameters";
  if (parameter === 'json_object') {
    return `JSON without a schema is not supported by this model: use a schema, or set ${setting} to drop to ask for JSON by an instruction`;
  }
  if (parameter === 'unknown')
    return `${field} is not known and may have a price; set ${setting} to drop to leave it out`;
  return `${field.split('.').at(-1)} is not supported by this model; set ${setting} to drop to leave such parameters out`;
}

/**
 * Returns the request with the functions that the provider can offer. Leaves the tools of MCP servers that it cannot offer out,
 * because the client does not write them. @throws AppError naming another such tool
 */
export function fitTools(request: ModelRequest, info: TurnInfo, provider: Provider): () => ModelRequest {
  const left: string[] = [];
  for (const tool of request.tools) {
    const fault = provider.toolFault?.(tool);
    if (fault === undefined) continue;
    if (!tool.name.startsWith(MCP_PREFIX)) {
      const message = `the tool ${tool.name} cannot be offered to this model: ${fault}`;
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tools', message }] });
    }
    left.push(tool.name);
  }
  if (left.length === 0) return () => request;
  const named = left.slice(0, NAMED_TOOLS_MAX).map((name) => `tools.${name}`);
  info.droppedParameters = [...(info.droppedParameters ?? []), ...named];
  const tools = request.tools.filter(({ name }) => !left.includes(name));
  const { toolChoice } = request;
  const isLost = toolChoice?.function !== undefined && left.includes(toolChoice.function);
  const fitted = { ...request, tools, toolChoice: isLost || tools.length === 0 ? undefined : toolChoice };
  return () => fitted;
}

/** Returns an object without the member at a path. */
function omitField<T extends Readonly<Record<string, unknown>>>(object: T, [name = '', ...path]: readonly string[]): T {
  const { [name]: member, ...rest } = object;
  if (path.length === 0) return rest as T;
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return object;
  return { ...object, [name]: omitField(member as Record<string, unknown>, path) };
}

/** Returns the images that the service has to read itself, because the provider that is asked first does not. */
export function listUnreadImages({ routes, dialect, conversation, model }: TurnPlan): LinkedImage[] {
  const [route] = routes;
  if (!route?.provider.takesImagesInline) return [];
  const { provider, upstreamModel } = route;
  // Its own dialect has no links, and need not be converted.
  const isOwn = dialect.forwardable !== undefined && provider.forwards.includes(dialect.forwardable);
  if (isOwn && !provider.converts?.({ upstreamModel, modelId: model.model_id })) return [];
  try {
    return listLinkedImages(conversation.request());
  } catch {
    // The turn reports why the request cannot be converted.
    return [];
  }
}

/** Reads linked images into the request. @throws AppError for an image that cannot be read; no provider has been asked then */
export async function inlineLinkedImages(
  { images }: Pick<Context, 'images'>,
  { call, conversation }: TurnPlan,
  links: readonly LinkedImage[],
): Promise<FetchedImages> {
  if (!images) {
    const message = 'this model takes images as data: URLs with base64 only';
    const fields = links.slice(0, 1).map(({ field }) => ({ field, message }));
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields });
  }
  const fetched = await images.fetch(links, call.principal?.accountId ?? '', call.signal);
  conversation.inline(fetched.byUrl, fetched.bytes);
  return fetched;
}
