import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { writeExactJson } from '@tollgate/runtime';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ForwardedRequest, ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { replaceModel } from '../replace-model.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import { addOtherChoices, type ChatCompletion, repairAnswer, toAnswer } from './chat-answer.js';
import { ChatEvents } from './chat-events.js';

/** Reads chat completions: converts them, or forwards them to a client that speaks the dialect itself. */
export class ChatWire implements Wire {
  readonly provider: ProviderId;
  readonly #names: ToolNames | undefined;
  readonly #forward: ForwardedRequest | undefined;

  constructor(provider: ProviderId, names: ToolNames | undefined, forward: ForwardedRequest | undefined) {
    this.provider = provider;
    this.#names = names;
    this.#forward = forward;
  }

  get converted(): Wire {
    return this.#forward ? new ChatWire(this.provider, this.#names, undefined) : this;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const completion = body as ChatCompletion;
    const answer = toAnswer(completion, this.#names);
    if (answer && this.#forward) {
      addOtherChoices(answer, completion);
      const whole = repairAnswer(completion) ? writeExactJson(completion) : text;
      answer.forwarded = Buffer.from(replaceModel(whole, completion, this.#forward.modelName));
    }
    return answer;
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    const forward = this.#forward;
    const forwardAs = forward && {
      modelName: forward.modelName,
      includeUsage: asksForUsage(forward.body),
      choices: Number(forward.body.n ?? 1),
    };
    return new ChatEvents({ provider: this.provider, names: this.#names, forwardAs }, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  const options = body.stream_options as { include_usage?: boolean } | null | undefined;
  return options?.include_usage === true;
}
