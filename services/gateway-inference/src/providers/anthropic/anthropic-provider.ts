import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { FunctionTool } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { MessagesHost } from '../contract/messages-host.js';
import type { ForwardedRequest, ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import type { Wire } from '../contract/wire.js';
import { argumentsFault } from '../convert/arguments-schema.js';
import { ToolNames } from '../convert/tool-names.js';
import { checkJson } from '../listen/check-json.js';
import { watchStops } from '../listen/watch-stops.js';
import { HttpExchange } from '../transport/http-exchange.js';
import { prepared } from '../transport/prepared-body.js';
import type { Upstream } from '../transport/upstream.js';
import { betaHeader, ForwardedMessagesWire, forwardedMessagesRequest, listForwarded } from './forwarded.js';
import { findContainer } from './messages-answer.js';
import { isBlank, messagesRequest } from './messages-request.js';
import { MessagesWire } from './messages-wire.js';
import { findTraits } from './model-traits.js';
import { callForced, findForced } from './structured-output.js';

/** The vendor itself, and compatible servers. */
const anthropicHost: MessagesHost = {
  toModelName: ({ upstreamModel }) => upstreamModel,
  toRequest: (body, _upstreamModel, betas) => ({ path: '/v1/messages', body, headers: betaHeader(betas) }),
  toWire: (wire) => wire,
};
const JSON_HEADERS = ['content-type', 'application/json', 'accept'];
const PLAIN_HEADERS = [...JSON_HEADERS, 'application/json'];
const STREAM_HEADERS = [...JSON_HEADERS, 'text/event-stream'];

/** Anthropic's Messages API at any of its hosts. */
export class AnthropicProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards = ['anthropic-messages'] as const;
  readonly #upstream: Upstream;
  readonly #host: MessagesHost;

  /** The upstream is closed with the provider. `host`: absent, the vendor itself. */
  constructor({ id, upstream, host = anthropicHost }: { id: ProviderId; upstream: Upstream; host?: MessagesHost }) {
    this.id = id;
    this.#upstream = upstream;
    this.#host = host;
  }

  /** Its newest models draw tokens without settings. */
  parameters(upstreamModel: string): readonly OptionalParameter[] {
    return findTraits(this.#host.toModelName({ upstreamModel, modelId: '' })).hasSampling ? ['top_k'] : [];
  }

  /** It produces JSON only from a schema: without one, it is asked by an instruction. */
  lacks(): readonly OptionalParameter[] {
    return ['json_object'];
  }

  toolFault({ parameters }: FunctionTool): string | undefined {
    return argumentsFault(parameters) ?? propertyFault(parameters);
  }

  start(hosted: ModelCall, listener: ModelListener): ModelExchange {
    const call = { ...hosted, upstreamModel: this.#host.toModelName(hosted) };
    const send = (to: ModelListener, asked: { wire: Wire; body: JsonObject }): ModelExchange =>
      this.#send(hosted, to, asked);
    if (call.forward) return send(listener, forwardedCall(this.id, call, call.forward));
    const request = call.request();
    const blank = request.stop.filter(isBlank);
    const forced = findTraits(call.upstreamModel).canForceTools ? undefined : findForced(request);
    return watchStops(blank, listener, (watching) => {
      const heard = request.outputFormat?.type === 'json_object' && !forced ? checkJson(watching) : watching;
      return send(forced ? callForced(forced, heard) : heard, translatedCall(this.id, call));
    });
  }

  #send(call: ModelCall, listener: ModelListener, asked: { wire: Wire; body: JsonObject }): ModelExchange {
    const { accountId, forward, isStream, upstreamModel } = call;
    const { toRequest, toWire, prepare } = this.#host;
    const { path, body, headers } = toRequest(asked.body, upstreamModel, listForwarded(forward?.betas ?? []));
    const exchange = new HttpExchange(toWire(asked.wire), isStream, listener);
    const shared = isStream ? STREAM_HEADERS : PLAIN_HEADERS;
    const written = prepared(call.encode(body), prepare);
    exchange.request = this.#upstream.post(path, [...shared, ...headers], written, exchange, accountId);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}

function forwardedCall(
  id: ProviderId,
  call: ModelCall,
  { body, modelName }: ForwardedRequest,
): { wire: Wire; body: JsonObject } {
  return { wire: new ForwardedMessagesWire(id, modelName), body: forwardedMessagesRequest(call, body) };
}

function translatedCall(id: ProviderId, call: ModelCall): { wire: Wire; body: JsonObject } {
  const { upstreamModel } = call;
  const request = call.request();
  const container = findContainer(request.messages, upstreamModel);
  return {
    wire: new MessagesWire(id, { upstreamModel, names: new ToolNames(request), container }),
    body: messagesRequest(call),
  };
}

/** Names of properties that the vendor accepts, at every depth. */
const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Returns why the vendor does not accept the names of a schema's properties. */
function propertyFault(schema: JsonObject | undefined): string | undefined {
  const name = schema && findRefused(schema);
  return name === undefined ? undefined : `its property ${JSON.stringify(name)} has a name that this provider refuses`;
}

function findRefused(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return findFirst(schema);
  if (!isJsonObject(schema)) return undefined;
  const { properties, enum: _values, const: _value, default: _default, examples: _examples, ...rest } = schema;
  const named = isJsonObject(properties) ? properties : {};
  return (
    Object.keys(named).find((name) => !ACCEPTED.test(name)) ??
    findFirst([...Object.values(named), ...Object.values(rest)])
  );
}

function findFirst(schemas: readonly unknown[]): string | undefined {
  for (const schema of schemas) {
    const found = findRefused(schema);
    if (found !== undefined) return found;
  }
  return undefined;
}
