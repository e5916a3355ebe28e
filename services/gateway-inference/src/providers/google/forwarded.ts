import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelCall, ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { parseObject } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { ResponseReader } from './generate-answer.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/**
 * Returns the client's own body with the output bound of admission, and a thinking budget that fits it. The path names the model.
 *
 * Source: `generateContentParametersToMldev` of `@google/genai` 3.1.
 */
export function forwardedGenerateRequest(call: ModelCall, client: Readonly<JsonObject>): JsonObject {
  const { model: _named, generationConfig, ...body } = client;
  const config: JsonObject = isJsonObject(generationConfig) ? { ...generationConfig } : {};
  const { thinkingConfig: thinking } = config;
  config.maxOutputTokens = call.maxOutputTokens;
  // 0 turns thinking off, and -1 leaves the budget to the model.
  if (isJsonObject(thinking) && typeof thinking.thinkingBudget === 'number' && thinking.thinkingBudget > 0) {
    const budget = thinkingBudget(thinking.thinkingBudget, call.maxOutputTokens);
    config.thinkingConfig = { ...thinking, thinkingBudget: budget };
  }
  return { ...body, generationConfig: config };
}

/** The client reads the names of its functions itself. */
const clientNames = { areDeclared: false, original: (name: string) => name };

/** Passes answers through to a client that speaks this dialect, and reads only what settling needs. */
export class ForwardedGenerateWire implements Wire {
  readonly provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #modelName: string;

  /** `modelName` is the client's name of the model; answers carry it. */
  constructor(provider: ProviderId, upstreamModel: string, modelName: string) {
    this.provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#modelName = modelName;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const output = new ForwardedOutput(this.#upstreamModel);
    const answer = output.reader.read(body as JsonObject) ? output.reader.answer() : undefined;
    return answer && { ...answer, text: output.take(), forwarded: Buffer.from(this.#named(text)) };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    const output = new ForwardedOutput(this.#upstreamModel);
    const { reader } = output;
    return {
      receive: (data) => {
        const body = parseObject(data);
        if (body?.error) {
          end.fail(toStreamFailure(end.provider, body, end.providerRequestId));
        } else if (!body || !reader.read(body)) {
          end.failUnreadable();
        } else {
          listener.onForward(this.#named(data), output.take(), reader.hasStopped);
          if (reader.usage) listener.onUsage(reader.usage);
        }
      },
      get hasStopped() {
        return reader.hasStopped;
      },
      // The vendor closes the connection after the stop reason, without a final event.
      finish: () => reader.answer(),
    };
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }

  #named(text: string): string {
    return replaceMember(text, ['modelVersion'], this.#modelName) ?? text;
  }
}

/** Collects the output that responses add, thoughts included, for an estimate if the vendor reports no usage. */
class ForwardedOutput {
  readonly reader: ResponseReader;
  #text = '';

  constructor(upstreamModel: string) {
    const add = (text: string): void => {
      this.#text += text;
    };
    this.reader = new ResponseReader(upstreamModel, clientNames, {
      onText: add,
      onThought: add,
      onToolCall: ({ name, arguments: text }) => add(name + text),
    });
  }

  /** Returns the output since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
