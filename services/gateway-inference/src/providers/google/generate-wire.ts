import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { parseObject, withReasoning } from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';
import { ResponseReader } from './generate-answer.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of generateContent and streamGenerateContent. */
export class GenerateWire implements Wire {
  readonly provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #names: ToolNames;

  constructor(provider: ProviderId, upstreamModel: string, names: ToolNames) {
    this.provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#names = names;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    let text = '';
    let reasoning = '';
    const toolCalls: AnswerToolCall[] = [];
    const reader = new ResponseReader(this.#upstreamModel, this.#names, {
      onText: (more) => {
        text += more;
      },
      onThought: (more) => {
        reasoning += more;
      },
      onToolCall: (call) => toolCalls.push(call),
    });
    const answer = reader.read(body as JsonObject) ? reader.answer() : undefined;
    return answer && { ...answer, text, ...withReasoning(reasoning), toolCalls };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    const reader = new ResponseReader(this.#upstreamModel, this.#names, {
      onText: (text) => listener.onText(text),
      onThought: (text) => listener.onReasoning(text),
      onToolCall: ({ id, name, arguments: text }, index) => {
        listener.onToolCall(index, id, name);
        listener.onToolArguments(index, text);
      },
    });
    return {
      receive: (data) => receive(data, reader, listener, end),
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
}

function receive(data: string, reader: ResponseReader, listener: ModelListener, end: StreamEnd): void {
  const body = parseObject(data);
  if (body?.error) {
    end.fail(toStreamFailure(end.provider, body, end.providerRequestId));
  } else if (!body || !reader.read(body)) {
    end.failUnreadable();
  } else if (reader.usage) {
    listener.onUsage(reader.usage);
  }
}
