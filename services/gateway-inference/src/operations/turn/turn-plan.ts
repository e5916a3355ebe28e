import type { ProviderId, RequestInput } from '@tollgate/api';
import { type CatalogModel, providerToolFee } from '@tollgate/catalog';
import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ToolContext } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { Capability, Dialect } from '../../dialects/dialect.js';
import { dialectOf } from '../../dialects/dialects.js';
import { type ModelMessage, type ModelRequest, textOfMessage } from '../../domain/model-request.js';
import type { TurnFacts } from '../../domain/turn-facts.js';
import type { StorageContext, TurnTools } from '../../domain/turn-tools.js';
import type { ForwardedRequest, ModelCall, Provider } from '../../providers/contract/provider.js';
import { findImageModel } from '../../tools/image-model.js';
import { parseBody } from '../parse-body.js';

export interface TurnRoute {
  provider: Provider;
  upstreamModel: string;
}

/** A turn that may begin: everything that is decided before the first provider is asked. */
export class TurnPlan {
  readonly call: Call;
  /** Under which the request is settled. */
  readonly holdId: string;
  readonly dialect: Dialect;
  readonly body: object;
  readonly isStream: boolean;
  readonly model: CatalogModel;
  routes: readonly TurnRoute[];
  readonly facts: TurnFacts;
  /** Set when the service runs the tools of this turn. */
  readonly tools: TurnTools | undefined;
  /** Where those tools keep things. */
  readonly storage: StorageContext;
  /** Passed by a caller that runs on somebody's behalf. */
  readonly toolContext: ToolContext | undefined;
  /** Features of the dialect's vendor that the client switches on. */
  readonly betas: readonly string[];
  /** The caller waits for the settlement as long as its call lasts. */
  readonly awaitsSettlement: boolean;
  /** Bounds of the model call that is next or under way: what the hold covers of its output and its input. */
  maxOutputTokens: number;
  inputTokensEstimate: number;
  /** Set when the answer is to be kept under it, or comes from there. */
  cacheKey: string | undefined;
  /** The answer comes from the response cache: nothing is served, and nothing charged. */
  isReplay = false;
  #request: ModelRequest | undefined;
  #input: RequestInput | undefined;

  constructor(init: Omit<TurnPlan, 'request' | 'input' | 'callOf' | 'goOn' | 'cacheKey' | 'isReplay'>) {
    this.call = init.call;
    this.holdId = init.holdId;
    this.dialect = init.dialect;
    this.body = init.body;
    this.isStream = init.isStream;
    this.model = init.model;
    this.routes = init.routes;
    this.maxOutputTokens = init.maxOutputTokens;
    this.inputTokensEstimate = init.inputTokensEstimate;
    this.facts = init.facts;
    this.tools = init.tools;
    this.storage = init.storage;
    this.toolContext = init.toolContext;
    this.betas = init.betas;
    this.awaitsSettlement = init.awaitsSettlement;
  }

  request(): ModelRequest {
    this.#request ??= this.dialect.toModelRequest(this.body);
    return this.#request;
  }

  input(): RequestInput {
    this.#input ??= this.dialect.input(this.body);
    return this.#input;
  }

  /** The conversation goes on in a further model call. A choice that was forced on the model has been honoured by now. */
  goOn(messages: readonly ModelMessage[]): void {
    const request = this.request();
    const input = this.input();
    const toolChoice = request.toolChoice?.type === 'none' ? request.toolChoice : undefined;
    this.#request = { ...request, messages: [...request.messages, ...messages], toolChoice };
    this.#input = { ...input, messages: [...input.messages, ...messages.map(textOfMessage)] };
  }

  /** The call of one route. `mayForward`: nothing has been written yet that a provider's own words would not follow. */
  callOf(route: TurnRoute, mayForward: boolean): ModelCall {
    return {
      requestId: this.call.requestId,
      accountId: this.call.principal?.accountId ?? '',
      holdId: this.holdId,
      upstreamModel: route.upstreamModel,
      isStream: this.isStream,
      maxOutputTokens: this.maxOutputTokens,
      request: () => this.request(),
      input: () => this.input(),
      forward: mayForward ? this.#forwardTo(route) : undefined,
    };
  }

  #forwardTo({ provider }: TurnRoute): ForwardedRequest | undefined {
    const { forwardable: dialect, canForward } = this.dialect;
    // An answer that is to be kept has to be understood.
    if (!dialect || !provider.forwards.includes(dialect) || this.cacheKey !== undefined) return undefined;
    if (canForward && !canForward(this.body)) return undefined;
    const body = this.body as ForwardedRequest['body'];
    return { dialect, body, modelName: this.facts.model, betas: this.betas };
  }
}

/** @throws AppError for a request that no provider is asked: its hold is released by the caller. */
export function planTurn(ctx: Context, req: GenerateRequest, call: Call): TurnPlan {
  const dialect = dialectOf(req.dialect);
  const body = parseBody(req.body);
  const named = body as { model?: unknown; provider?: unknown };
  const model = findModel(ctx, req.modelId, named.model, named.provider);
  if (!model.capabilities.includes('text')) throw lacking(model, 'text');
  for (const capability of dialect.capabilities(body, req.stream)) {
    if (!model.capabilities.includes(capability) || isUnpriced(model, capability)) throw lacking(model, capability);
  }
  const only = dialect.onlyProvider?.(body);
  const routes = routesOf(ctx, model, only);
  if (only !== undefined && isUnpriced(model, 'web_search')) throw lacking(model, 'x_search');
  const facts: TurnFacts = {
    requestId: call.requestId,
    model: dialect.modelName(body, model.model_id),
    provider: routes[0]!.provider.id,
    startedAt: ctx.clock.nowMs(),
  };
  return new TurnPlan({
    call,
    holdId: req.holdId || call.requestId,
    dialect,
    body,
    isStream: req.stream,
    model,
    routes,
    facts,
    tools: planTools(ctx, req, dialect, body),
    storage: dialect.storage?.(body) ?? {},
    toolContext: req.toolContext,
    betas: req.betas,
    awaitsSettlement: req.awaitsSettlement,
    maxOutputTokens: req.maxOutputTokens || model.max_output_tokens,
    inputTokensEstimate: Number(req.inputTokensEstimate),
  });
}

/** The tools of a turn that goes on by itself. @throws AppError for what their rules forbid */
function planTools(ctx: Context, req: GenerateRequest, dialect: Dialect, body: object): TurnTools | undefined {
  const tools = dialect.tools?.(body);
  if (!tools) return undefined;
  if (tools.imageModel !== undefined) {
    if (req.stream && !req.returnsToolCalls) throw badTools('streaming is not supported with an image_generation tool');
    findImageModel(ctx.catalog, tools.imageModel);
  }
  if (!req.returnsToolCalls) return tools;
  return tools.mayPause ? { ...tools, areCallers: true } : undefined;
}

/** Admission decided the model; the client's own words may narrow its routes to one provider. */
function findModel(ctx: Context, modelId: string, name: unknown, provider: unknown): CatalogModel {
  const wanted = typeof provider === 'string' ? provider : undefined;
  const asNamed = typeof name === 'string' ? ctx.catalog.find(name, wanted) : undefined;
  const model = asNamed?.model_id === modelId ? asNamed : ctx.catalog.find(modelId, wanted);
  if (model) return model;
  const at = wanted === undefined ? '' : ` at provider ${wanted}`;
  throw new AppError('VALIDATION_ERROR', `unknown model: ${modelId}${at}`, {
    fields: [{ field: wanted === undefined ? 'model' : 'provider', message: `unknown model ${modelId}${at}` }],
  });
}

function routesOf(ctx: Context, model: CatalogModel, only: ProviderId | undefined): readonly TurnRoute[] {
  const possible = model.routes.filter((route) => only === undefined || route.provider === only);
  if (possible.length === 0)
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} is not served by ${only}`);
  const routes: TurnRoute[] = [];
  for (const route of possible) {
    const provider = ctx.providers.get(route.provider as ProviderId);
    if (provider) routes.push({ provider, upstreamModel: route.upstream_model });
  }
  if (routes.length > 0) return ctx.circuits.inOrder(routes);
  const names = [...new Set(possible.map((route) => route.provider))].join(', ');
  throw new AppError('SERVICE_UNAVAILABLE', `no provider of model ${model.model_id} is configured (${names})`, {
    layer: 'routing',
    retryable: false,
  });
}

function badTools(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'tools', message }] });
}

/** Tools that run at the vendor have fees of their own: without a known one they are not bought. */
function isUnpriced(model: CatalogModel, capability: Capability): boolean {
  if (capability === 'web_search') return providerToolFee(model, 'search') === undefined;
  return capability === 'code_execution' && providerToolFee(model, 'code_run') === undefined;
}

function lacking(model: CatalogModel, capability: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} lacks the capability ${capability}`);
}
