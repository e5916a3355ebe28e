import type { FilePart, ProviderId, RequestInput } from '@tollgate/api/model-requests';
import { type CatalogModel, isServiceTierPriced, providerToolFee } from '@tollgate/catalog';
import type { GenerateRequest, ResponseStorage } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ToolContext } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { writeExactJson } from '@tollgate/runtime';
import { LARGE_JSON_BYTES } from '@tollgate/runtime/threads';
import type { Context } from '../../context.js';
import type { Capability, Dialect } from '../../dialects/dialect.js';
import { findDialect } from '../../dialects/dialects.js';
import { inlineImages, type ModelMessage, type ModelRequest, textOfMessage } from '../../domain/model-request.js';
import type { RequestedParameter } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { StorageContext, TurnTools } from '../../domain/turn-tools.js';
import type { PendingBody, Provider } from '../../providers/contract/provider.js';
import type { ToolCallContext } from '../../tools/execute-tool.js';
import { findImageModel } from '../../tools/image-tool.js';
import type { Delivery, HeldPlan } from '../held-work/held-plan.js';
import type { HeldWorkContext } from '../held-work/held-work.js';
import { type ConnectedRoute, findConnectedRoutes, type OwnRouting, withOwnRoutes } from '../held-work/routes.js';
import { type ParsedBody, parseBody, toAccount } from '../parse-body.js';

/** Capabilities that a request needs because of its tools. */
const toolCapabilities = new Set(['tool_use', 'web_search', 'x_search', 'code_execution']);

/** The parts of the context that a turn uses, the tools of its loop included. */
export type TurnContext = HeldWorkContext &
  ToolCallContext &
  Pick<
    Context,
    | 'circuits'
    | 'connections'
    | 'holds'
    | 'images'
    | 'jsonThread'
    | 'ownConnections'
    | 'pool'
    | 'responseCache'
    | 'responseLimits'
  >;

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
  /** Whether the caller prepares what follows the answer while it is being settled. Never of an answer that is stored: its end waits for the store. */
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
    delivery: toDelivery(req, responseStorage, mayCollect),
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

/** A background response is collected: nothing bounds how long its model may think. */
function toDelivery(
  { stream: isStream }: GenerateRequest,
  storage: ResponseStorage | undefined,
  mayCollect: boolean,
): Delivery {
  if (isStream) return 'streamed';
  return storage?.backgroundId && mayCollect ? 'collected' : 'whole';
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

/** The request of the next model call of a turn, and its bounds: each call adds its messages and may change the bounds. */
export class Conversation {
  readonly #dialect: Dialect;
  readonly #body: object;
  /** Output tokens that the hold covers. */
  maxOutputTokens: number;
  /** Input tokens that the hold covers; 0 when unknown. */
  inputTokensEstimate: number;
  /** Whether images that the client linked to take long to write. */
  hasLargeImages = false;
  #request: ModelRequest | undefined;
  #input: RequestInput | undefined;

  constructor(dialect: Dialect, body: object, maxOutputTokens: number, inputTokensEstimate: number) {
    this.#dialect = dialect;
    this.#body = body;
    this.maxOutputTokens = maxOutputTokens;
    this.inputTokensEstimate = inputTokensEstimate;
  }

  /** Converted on first use, because a forwarded call never needs it. @throws AppError */
  request(): ModelRequest {
    this.#request ??= this.#dialect.toModelRequest(this.#body);
    return this.#request;
  }

  /** Returns the input that the model reads, for counting. */
  input(): RequestInput {
    this.#input ??= this.#dialect.input(this.#body);
    return this.#input;
  }

  /**
   * Replaces links to images by the images, which have this many bytes in all places together. The count of the input has
   * the most expensive image for each already.
   */
  inline(images: ReadonlyMap<string, FilePart>, bytes: number): void {
    this.hasLargeImages = bytes > LARGE_JSON_BYTES;
    this.#request = inlineImages(this.request(), images);
  }

  /** Adds the messages of a model call. A tool choice that was forced has been honored by that call and is dropped. */
  continueWith(messages: readonly ModelMessage[]): void {
    const request = this.request();
    const input = this.input();
    const toolChoice = request.toolChoice?.type === 'none' ? request.toolChoice : undefined;
    this.#request = { ...request, messages: [...request.messages, ...messages], toolChoice };
    this.#input = { ...input, messages: [...input.messages, ...messages.map(textOfMessage)] };
  }
}
