/** The vendor in the spellings of its files. */
export interface Names {
  /** `acme-labs`: the folder, the files and the wire of its connections. */
  kebab: string;
  /** `acmeLabs` */
  camel: string;
  /** `AcmeLabs` */
  pascal: string;
  /** `Acme labs` */
  title: string;
}

export function providerText({ kebab, camel, pascal, title }: Names): string {
  return `import type { ProviderId } from '@tollgate/api/model-requests';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import { watchStops } from '../listen/watch-stops.js';
import { HttpExchange } from '../transport/http-exchange.js';
import type { Upstream } from '../transport/upstream.js';
import { ${camel}Request } from './${kebab}-request.js';
import { ${pascal}Wire } from './${kebab}-wire.js';

const HEADERS = ['content-type', 'application/json'];

/** The API of ${title}. */
export class ${pascal}Provider implements Provider {
  readonly id: ProviderId;
  readonly forwards = [];
  readonly #upstream: Upstream;

  /** The upstream is closed with the provider. */
  constructor({ id, upstream }: { id: ProviderId; upstream: Upstream }) {
    this.id = id;
    this.#upstream = upstream;
  }

  parameters(): readonly OptionalParameter[] {
    return [];
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    return watchStops(call.request().stop, listener, (watching) => this.#send(call, watching));
  }

  #send(call: ModelCall, listener: ModelListener): ModelExchange {
    const exchange = new HttpExchange(new ${pascal}Wire(this.id), call.isStream, listener);
    const body = call.encode(${camel}Request(call));
    exchange.request = this.#upstream.post('/generate', HEADERS, body, exchange, call.accountId);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
`;
}

export function requestText({ camel, title }: Names): string {
  return `import { AppError } from '@tollgate/errors';
import { messageText } from '../../domain/model-request.js';
import type { ModelCall } from '../contract/provider.js';
import type { Json } from '../convert/answer-reading.js';
import { orderMessages } from '../convert/conversation.js';

/**
 * Converts a request to the body of ${title}. Source: …
 *
 * @throws AppError for the parts of requests that it does not convert; the next route is asked then
 */
export function ${camel}Request(call: ModelCall): Json {
  const { messages, outputFormat, providerTools, temperature, tools, topP } = call.request();
  const ordered = orderMessages(messages);
  if (tools.length > 0 || providerTools?.length || ordered.some(({ role }) => role === 'tool')) throw unsupported('tools');
  if (outputFormat && outputFormat.type !== 'text') throw unsupported('output formats');
  if (ordered.some(({ content }) => content.some(({ type }) => type !== 'text'))) throw unsupported('files');
  return {
    model: call.upstreamModel,
    messages: ordered.map((message) => ({ role: message.role, content: messageText(message) })),
    max_tokens: call.maxOutputTokens,
    ...(call.isStream && { stream: true }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

function unsupported(parts: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', \`this model does not support \${parts}\`);
}
`;
}

export function wireText({ pascal, title }: Names): string {
  return `import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer, StopReason, TokenUsage } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { figure, isObject, type Json, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of ${title}, plain and streamed. Source: … */
export class ${pascal}Wire implements Wire {
  readonly provider: ProviderId;

  constructor(provider: ProviderId) {
    this.provider = provider;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    const { text, ...rest } = body as Json;
    return typeof text === 'string' ? toAnswer(rest, text) : undefined;
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ${pascal}Events(listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}
${eventsText(pascal)}${answerText()}`;
}

function eventsText(pascal: string): string {
  return `
class ${pascal}Events implements VendorEvents {
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  #last: Json | undefined;

  constructor(listener: ModelListener, end: StreamEnd) {
    this.#listener = listener;
    this.#end = end;
  }

  get hasStopped(): boolean {
    return this.#last !== undefined;
  }

  receive(data: string): void {
    const event = parseObject(data);
    if (!event) this.#end.failUnreadable();
    else if (event.error) this.#end.fail(toStreamFailure(this.#end.provider, event, this.#end.providerRequestId));
    else if (event.stop_reason !== undefined) this.#last = event;
    else if (typeof event.text === 'string') this.#listener.onText(event.text);
  }

  finish(): ModelAnswer | undefined {
    return this.#last && toAnswer(this.#last, '');
  }
}
`;
}

function answerText(): string {
  return `
function toAnswer({ id, stop_reason: reason, usage }: Json, text: string): ModelAnswer {
  const responseId = textOrUndefined(id) ?? '';
  return { responseId, stopReason: toStopReason(reason), text, toolCalls: [], usage: toTokenUsage(usage) };
}

function toStopReason(reason: unknown): StopReason {
  if (reason === 'length') return 'max_tokens';
  return reason === 'end' || typeof reason !== 'string' ? 'stop' : reason;
}

/** \`inputTokens\` is everything that the model read; what the cache served and what it reasoned are parts of the two. */
function toTokenUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const inputTokens = figure(usage.input_tokens);
  const outputTokens = figure(usage.output_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheWriteInputTokens: 0, reasoningTokens: 0 };
}
`;
}

export function errorText(): string {
  return `import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  isObject,
  parseObject,
  readRequestId,
  redactedDetail,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

type Head = Partial<Pick<ProviderFailure, 'providerRequestId' | 'retryAfterSeconds'>>;

/** Converts an error answer: \`{error: {message}}\`. Source: … */
export function toFailure(provider: ProviderId, status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
  const head = { providerRequestId: readRequestId(headers), retryAfterSeconds: retryAfterSeconds(headers) };
  return createFailure(provider, status, parseObject(text), head);
}

/** Converts an error inside a stream, or an error body with status 200. */
export function toStreamFailure(provider: ProviderId, body: object, providerRequestId: string | undefined): ProviderFailure {
  return createFailure(provider, 500, body, { providerRequestId });
}

function createFailure(provider: ProviderId, status: number, body: object | undefined, head: Head): ProviderFailure {
  const error = body && 'error' in body && isObject(body.error) ? body.error : {};
  const message = textOrUndefined(error.message);
  const isPayment = status === 402;
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status,
    detail: safeDetail(status, isPayment, message),
    accountDetail: redactedDetail(message),
    ...head,
  });
}
`;
}

export function testText({ kebab, pascal }: Names): string {
  return `import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../testing/fixtures.js';
import { allCuts, expectSame, play } from '../../testing/stream-player.js';
import { ${pascal}Wire } from './${kebab}-wire.js';

const wire = new ${pascal}Wire('custom');
const streamed = Buffer.from(fixture('${kebab}', 'text.chunks.txt'));

it('reads the same plain and streamed', () => {
  const whole = wire.readAnswer(JSON.parse(fixture('${kebab}', 'text.json')));
  const { text, answer, failure } = play(wire, streamed);
  expect(failure).toBeUndefined();
  expect({ ...answer, text }).toEqual(whole);
  expect(whole).toMatchObject({ text: 'Grüße', stopReason: 'stop', usage: { inputTokens: 5, outputTokens: 3 } });
});

it('reads a stream alike wherever its bytes are cut', () => {
  const records = allCuts(streamed).map((cuts) => play(wire, streamed, cuts));
  expectSame(records, play(wire, streamed));
});

describe('a stream that breaks off', () => {
  it('fails without an answer', () => {
    const { answer, failure } = play(wire, streamed.subarray(0, streamed.indexOf('stop_reason')));
    expect(answer).toBeUndefined();
    expect(failure).toMatchObject({ code: 'PROVIDER_ERROR' });
  });
});

it('reads an error with its status and the time to wait', () => {
  const failure = wire.readFailure(429, { 'retry-after': '7' }, fixture('${kebab}', 'error.json'));
  expect(failure).toMatchObject({ kind: 'response', status: 429, detail: 'slow down', retryAfterSeconds: 7 });
});
`;
}
