import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { filterObjects, isObject, type Json, textOrUndefined, withReasoning } from '../convert/answer-reading.js';
import { openAmazonFrames } from '../transport/amazon-frames.js';
import { type AskedConverse, blockReasoning, blockText, toContinuation, toToolCall } from './content-blocks.js';
import { ConverseEvents } from './converse-events.js';
import { toStopReason } from './stop-reason.js';
import { toFailure, toStreamFailure } from './upstream-error.js';
import { toTokenUsage } from './usage.js';

/** Answers of Converse and ConverseStream. */
export class ConverseWire implements Wire {
  readonly #asked: AskedConverse;
  readonly openFrames = openAmazonFrames;

  constructor(asked: AskedConverse) {
    this.#asked = asked;
  }

  get provider(): ProviderId {
    return this.#asked.provider;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    const { output, stopReason, usage, serviceTier } = body as Json;
    const message = isObject(output) ? output.message : undefined;
    if (!isObject(message) || !Array.isArray(message.content)) return undefined;
    const blocks = filterObjects(message.content);
    const calls = blocks.map((block) => toToolCall(block, this.#asked.names));
    const toolCalls = calls.filter((call): call is AnswerToolCall => call !== undefined);
    return {
      responseId: '',
      stopReason: toStopReason(textOrUndefined(stopReason) ?? 'stop'),
      text: blocks.map(blockText).join(''),
      ...withReasoning(blocks.map(blockReasoning).join('')),
      toolCalls,
      usage: toTokenUsage(usage, serviceTier),
      ...toContinuation(this.#asked, blocks, toolCalls.length > 0),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ConverseEvents(this.#asked, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}
