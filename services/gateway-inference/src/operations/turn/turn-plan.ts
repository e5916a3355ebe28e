import type { ProviderId } from '@tollgate/api/model-requests';
import { type CatalogModel, isServiceTierPriced, providerToolFee } from '@tollgate/catalog';
import type { GenerateRequest, ResponseStorage } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ToolContext } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { writeExactJson } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import type { Capability, Dialect } from '../../dialects/dialect.js';
import { findDialect } from '../../dialects/dialects.js';
import type { RequestedParameter } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { StorageContext, TurnTools } from '../../domain/turn-tools.js';
import type {
  CalledModel,
  ForwardedRequest,
  ModelCall,
  PendingBody,
  Provider,
} from '../../providers/contract/provider.js';
import { findImageModel } from '../../tools/image-model.js';
import { type ConnectedRoute, findConnectedRoutes } from '../held-work/find-routes.js';
import type { HeldPlan } from '../held-work/held-plan.js';
import { type OwnRouting, withOwnRoutes } from '../held-work/own-routes.js';
import { type ParsedBody, parseBody, toAccount } from '../parse-body.js';
import { Conversation } from './conversation.js';
import { fitParameters, fitTools } from './fit-request.js';

/** Capabilities that a request needs because of its tools. */
const toolCapabilities = new Set(['tool_use', 'web_search', 'x_search', 'code_execution']);

export type TurnRoute = ConnectedRoute<Provider>;

/** A turn that may start: everything that is decided before the first provider is asked. */
export interface TurnPlan extends HeldPlan<TurnRoute> {
  readonly dialect: Dialect;
  readonly body: object;
  /** Writes a provider's request as JSON: in another thread if the body consists of long strings. */
  encode(request: object): string | PendingBody;
  readonly model: CatalogModel;
  readonly info: TurnInfo;
  readonly conversation: Conversation;
  /** The provider streams, so that the wait for its head does not bound the answer; the client receives the whole answer. */
  readonly isCollected?: boolean;
  /** Set when the service runs the tools of this turn. */
  readonly tools: TurnTools | undefined;
  /** Where those tools store data. */
  readonly storage: StorageContext;
  /** Passed by a caller that acts on behalf of a run or an agent. */
  readonly toolContext: ToolContext | undefined;
  /** Parameters of the request that not every provider has. */
  readonly parameters: readonly RequestedParameter[];
  /** Whether the request turns reasoning off: some models have other parameters then. */
  readonly isReasoningOff: boolean;
  /** Alternative answers that the request asks for. */
  readonly answers: number;
  /** Features of the dialect's vendor that the client enables. */
  readonly betas: readonly string[];
  /** Whether the caller prepares what follows the answer while it is being settled. */
  readonly answersBeforeSettlement: boolean;
  /** Set when the answer is to be stored. */
  readonly responseStorage: ResponseStorage | undefined;
  /** Set when the answer is to be cached under it, or was found there. */
  readonly cacheKey?: string;
}

/** Whether the caller makes a background response of the answer, and tries again when it fails. */
export function isInBackground({ responseStorage }: TurnPlan): boolean {
  return Boolean(responseStorage?.backgroundId);
}

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
    isStream: plan.isStream || plan.isCollected === true,
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

/** @throws AppError for a request that is refused before any provider is asked; the caller releases its hold */
export function planTurn(
  ctx: Pick<Context, 'catalog' | 'circuits' | 'clock' | 'connections' | 'jsonThread'>,
  req: GenerateRequest,
  call: Call,
  { parsed = { value: parseBody(req.body), isMostlyText: false }, own }: { parsed?: ParsedBody; own?: OwnRouting } = {},
): TurnPlan {
  const dialect = findDialect(req.dialect);
  const { value: body, isMostlyText } = parsed;
  const named = body as { model?: unknown; provider?: unknown };
  const modelName = req.modelName || named.model;
  const model = findModel(ctx, req.modelId, modelName, named.provider);
  if (!model.capabilities.includes('text')) throw missingCapability(model, 'text');
  for (const capability of dialect.capabilities(body, req.stream)) {
    if (!model.capabilities.includes(capability) || isUnpriced(model, capability))
      throw missingCapability(model, capability);
  }
  const parameters = dialect.parameters?.(body) ?? [];
  checkServiceTier(model, parameters);
  const only = dialect.onlyProvider?.(body);
  const routes = findRoutes(ctx, model, only, own);
  if (only !== undefined && isUnpriced(model, 'web_search')) throw missingCapability(model, 'x_search');
  const responseStorage = dialect.state && req.storage;
  const info: TurnInfo = {
    requestId: responseStorage ? req.holdId || call.requestId : call.requestId,
    ...(responseStorage && {
      isStored: !responseStorage.isUnlisted,
      isInConversation: responseStorage.conversationKey !== '',
    }),
    model: req.modelName || dialect.modelName(body, model.model_id),
    provider: routes[0]!.provider.id,
    startedAt: ctx.clock.nowMs(),
  };
  const maxOutputTokens = req.maxOutputTokens || model.max_output_tokens;
  const conversation = new Conversation(dialect, body, maxOutputTokens, Number(req.inputTokensEstimate));
  const tools = planTools(ctx, req, dialect, body);
  // Images are not streamed.
  const mayCollect = tools?.imageModel === undefined && canStream(dialect, body, model);
  return {
    call,
    holdId: req.holdId || call.requestId,
    dialect,
    body,
    encode: (request) =>
      isMostlyText || conversation.hasLargeImages
        ? () => ctx.jsonThread.stringify(toAccount(call), request, call.signal)
        : writeExactJson(request),
    isStream: req.stream,
    isCollected: !req.stream && Boolean(responseStorage?.backgroundId) && mayCollect,
    model,
    modelId: model.model_id,
    startedAt: ctx.clock.elapsed(),
    routes,
    info,
    conversation,
    tools,
    storage: dialect.storage?.(body) ?? {},
    toolContext: req.toolContext,
    parameters,
    isReasoningOff: dialect.isReasoningOff?.(body) ?? false,
    answers: dialect.answers?.(body) ?? 1,
    betas: req.betas,
    awaitsSettlement: req.awaitsSettlement,
    answersBeforeSettlement: req.answersBeforeSettlement && !responseStorage,
    admissionMs: req.admissionMs,
    executionOrigin: 'provider',
    responseStorage,
  };
}

function canStream(dialect: Dialect, body: object, { capabilities }: CatalogModel): boolean {
  return dialect.capabilities(body, true).every((capability) => capabilities.includes(capability));
}

/** The tools that the service runs in this turn. @throws AppError for a combination that their rules forbid */
function planTools(
  ctx: Pick<Context, 'catalog'>,
  req: GenerateRequest,
  dialect: Dialect,
  body: object,
): TurnTools | undefined {
  const tools = dialect.tools?.(body);
  if (!tools) return undefined;
  if (tools.imageModel !== undefined) {
    if (req.stream && !req.returnsToolCalls) throw badTools('streaming is not supported with an image_generation tool');
    findImageModel(ctx.catalog, tools.imageModel);
  }
  if (!req.returnsToolCalls) return tools;
  return tools.mayPause ? { ...tools, areCallers: true } : undefined;
}

/** Admission decided the model; the client's name of it may narrow its routes to one provider. */
function findModel(ctx: Pick<Context, 'catalog'>, modelId: string, name: unknown, provider: unknown): CatalogModel {
  const wanted = typeof provider === 'string' ? provider : undefined;
  const asNamed = typeof name === 'string' ? ctx.catalog.find(name, wanted) : undefined;
  const model = asNamed?.model_id === modelId ? asNamed : ctx.catalog.find(modelId, wanted);
  if (model) return model;
  const at = wanted === undefined ? '' : ` at provider ${wanted}`;
  throw new AppError('VALIDATION_ERROR', `unknown model: ${modelId}${at}`, {
    fields: [{ field: wanted === undefined ? 'model' : 'provider', message: `unknown model ${modelId}${at}` }],
  });
}

function findRoutes(
  ctx: Pick<Context, 'circuits' | 'connections'>,
  model: CatalogModel,
  only: ProviderId | undefined,
  own: OwnRouting | undefined,
): readonly TurnRoute[] {
  if (only !== undefined && !model.routes.some((route) => route.provider === only))
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} is not served by ${only}`);
  const listOthers = () =>
    ctx.circuits.inOrder(findConnectedRoutes(ctx.connections, model, 'models', only), model.routing);
  return own ? withOwnRoutes(own, model, only, listOthers) : listOthers();
}

function badTools(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'tools', message }] });
}

/** Tools that run at the vendor have their own fees: without a known fee they are not offered. */
function isUnpriced(model: CatalogModel, capability: Capability): boolean {
  if (capability === 'web_search') return providerToolFee(model, 'search') === undefined;
  return capability === 'code_execution' && providerToolFee(model, 'code_run') === undefined;
}

/** @throws AppError VALIDATION_ERROR for a dearer service tier that could not be charged correctly */
function checkServiceTier(model: CatalogModel, parameters: readonly RequestedParameter[]): void {
  const asked = parameters.find(({ parameter }) => parameter === 'service_tier');
  if (!asked || (typeof asked.value === 'string' && isServiceTierPriced(model, asked.value))) return;
  const { field } = asked;
  const message = `the service tier ${JSON.stringify(asked.value)} is not supported: it has no price in the catalog for the model ${model.model_id}`;
  throw new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}

function missingCapability(model: CatalogModel, capability: string): AppError {
  const message = `model ${model.model_id} lacks the capability ${capability}`;
  const fields = toolCapabilities.has(capability) ? [{ field: 'tools', message }] : [];
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields });
}
