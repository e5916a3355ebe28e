import type { ProviderId, RequestInput } from '@tollgate/api';
import type { CatalogModel } from '@tollgate/catalog';
import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import type { Dialect } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import type { ModelRequest } from '../domain/model-request.js';
import type { TurnFacts } from '../domain/turn-facts.js';
import type { ForwardedRequest, ModelCall, Provider } from '../providers/provider.js';

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
  readonly routes: readonly TurnRoute[];
  readonly maxOutputTokens: number;
  /** What the hold covers of the input. */
  readonly inputTokensEstimate: number;
  readonly facts: TurnFacts;
  #request: ModelRequest | undefined;
  #input: RequestInput | undefined;

  constructor(init: Omit<TurnPlan, 'request' | 'input' | 'callOf'>) {
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
  }

  request(): ModelRequest {
    this.#request ??= this.dialect.toModelRequest(this.body);
    return this.#request;
  }

  input(): RequestInput {
    this.#input ??= this.dialect.input(this.body);
    return this.#input;
  }

  /** The call of one route. */
  callOf(route: TurnRoute): ModelCall {
    const { forwards } = route.provider;
    const isForwarded = forwards !== undefined && forwards === this.dialect.forwardable;
    const forward: ForwardedRequest | undefined = isForwarded
      ? { body: this.body as ForwardedRequest['body'], modelName: this.facts.model }
      : undefined;
    return {
      requestId: this.call.requestId,
      holdId: this.holdId,
      upstreamModel: route.upstreamModel,
      isStream: this.isStream,
      maxOutputTokens: this.maxOutputTokens,
      request: () => this.request(),
      input: () => this.input(),
      forward,
    };
  }
}

/** @throws AppError for a request that no provider is asked: its hold is released by the caller. */
export function planTurn(ctx: Context, req: GenerateRequest, call: Call): TurnPlan {
  const dialect = dialectOf(req.dialect);
  const body = parseBody(req.body);
  const named = body as { model?: unknown; provider?: unknown };
  const model = findModel(ctx, req.modelId, named.model, named.provider);
  for (const capability of dialect.capabilities(body, req.stream)) {
    if (!model.capabilities.includes(capability)) throw lacking(model, capability);
  }
  const routes = routesOf(ctx, model);
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
    maxOutputTokens: req.maxOutputTokens || model.max_output_tokens,
    inputTokensEstimate: Number(req.inputTokensEstimate),
    facts,
  });
}

function parseBody(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, like every other body that is no object.
  }
  throw new AppError('VALIDATION_ERROR', 'the body must be a JSON object');
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

function routesOf(ctx: Context, model: CatalogModel): TurnRoute[] {
  const routes: TurnRoute[] = [];
  for (const route of model.routes) {
    const provider = ctx.providers.get(route.provider as ProviderId);
    if (provider) routes.push({ provider, upstreamModel: route.upstream_model });
  }
  if (routes.length > 0) return routes;
  const names = [...new Set(model.routes.map((route) => route.provider))].join(', ');
  throw new AppError('SERVICE_UNAVAILABLE', `no provider of model ${model.model_id} is configured (${names})`, {
    layer: 'routing',
    retryable: false,
  });
}

function lacking(model: CatalogModel, capability: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', `model ${model.model_id} lacks the capability ${capability}`);
}
