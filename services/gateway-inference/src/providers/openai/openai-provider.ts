import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from '../provider.js';
import { Upstream, type UpstreamListener, type UpstreamOptions, type UpstreamRequest } from '../upstream.js';
import { type ChatCompletion, parseObject, toAnswer } from './chat-answer.js';
import { chatRequest, forwardedChatRequest, type TokenBoundName } from './chat-request.js';
import { ChatStream } from './chat-stream.js';
import { replaceModel } from './replace-model.js';
import { ToolNames } from './tool-names.js';
import { requestIdOf, toFailure, toStreamFailure } from './upstream-error.js';

export interface OpenAiProviderOptions extends UpstreamOptions {
  /** Absent for local servers that want none. */
  apiKey: string | undefined;
}

const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;
const PATH = '/chat/completions';

/** Anything that speaks OpenAI's chat completions: OpenAI, xAI, vLLM, Ollama, llama.cpp and the like. */
export class OpenAiProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards = 'openai-chat';
  readonly #upstream: Upstream;
  readonly #bound: TokenBoundName;
  readonly #plainHeaders: string[];
  readonly #streamHeaders: string[];

  constructor(options: OpenAiProviderOptions) {
    this.id = options.provider;
    this.#upstream = new Upstream(options);
    this.#bound = new URL(options.baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
    const shared = ['content-type', 'application/json', 'user-agent', 'tollgate'];
    if (options.apiKey) shared.push('authorization', `Bearer ${options.apiKey}`);
    this.#plainHeaders = [...shared, 'accept', 'application/json'];
    this.#streamHeaders = [...shared, 'accept', 'text/event-stream'];
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    const { forward } = call;
    const body = forward ? forwardedChatRequest(call, forward.body, this.#bound) : chatRequest(call, this.#bound);
    const names = forward ? undefined : new ToolNames(call.request());
    const exchange = new ChatExchange(this.id, call, listener, names);
    const headers = [...(call.isStream ? this.#streamHeaders : this.#plainHeaders), 'x-client-request-id', call.holdId];
    exchange.request = this.#upstream.post(PATH, headers, JSON.stringify(body), exchange);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}

/** One chat completion under way. */
class ChatExchange implements ModelExchange, UpstreamListener {
  readonly #provider: ProviderId;
  readonly #call: ModelCall;
  readonly #listener: ModelListener;
  readonly #names: ToolNames | undefined;
  /** Set while a stream of chunks is read; otherwise the body is collected. */
  #stream: ChatStream | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  request: UpstreamRequest | undefined;

  constructor(provider: ProviderId, call: ModelCall, listener: ModelListener, names: ToolNames | undefined) {
    this.#provider = provider;
    this.#call = call;
    this.#listener = listener;
    this.#names = names;
  }

  pause(): void {
    this.request?.pause();
  }

  resume(): void {
    this.request?.resume();
  }

  abort(): boolean {
    return this.request?.abort() ?? false;
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (!this.#isOk()) return;
    // A server may answer a streamed request with a plain JSON body, for example an error under 200.
    if (!this.#call.isStream || headers['content-type']?.startsWith('application/json')) return;
    const providerRequestId = requestIdOf(headers);
    this.#listener.onOpen();
    const { forward } = this.#call;
    this.#stream = new ChatStream(
      {
        provider: this.#provider,
        providerRequestId,
        names: this.#names,
        forwardAs: forward && { modelName: forward.modelName, includeUsage: asksForUsage(forward.body) },
      },
      this.#listener,
    );
  }

  onChunk(chunk: Buffer): void {
    if (this.#stream) {
      this.#stream.feed(chunk);
      if (this.#stream.hasFailed) this.request?.abort();
      return;
    }
    this.#bytes += chunk.length;
    if (this.#bytes <= (this.#isOk() ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX)) {
      this.#chunks.push(chunk);
    } else if (this.#isOk()) {
      this.request?.fail('invalid_response');
    } else {
      this.request?.abort();
      this.onDone();
    }
  }

  onDone(): void {
    if (this.#stream) this.#stream.end();
    else if (this.#isOk()) this.#tellAnswer();
    else this.#listener.onFailure(toFailure(this.#provider, this.#status, this.#headers, this.#text()));
  }

  onFailed(failure: ProviderFailure): void {
    if (this.#stream) this.#stream.end(failure);
    else if (this.#status !== 0 && !this.#isOk()) this.onDone();
    else this.#listener.onFailure(failure);
  }

  #tellAnswer(): void {
    const text = this.#text();
    const body = parseObject(text) as ChatCompletion | undefined;
    const answer = body && !this.#call.isStream ? toAnswer(body, this.#names) : undefined;
    if (!body || !answer) {
      this.#listener.onFailure(this.#unreadable(body));
      return;
    }
    const { forward } = this.#call;
    if (forward) answer.forwarded = Buffer.from(replaceModel(text, body, forward.modelName));
    this.#listener.onAnswer(answer);
  }

  #unreadable(body: object | undefined): ProviderFailure {
    const providerRequestId = requestIdOf(this.#headers);
    if (body && 'error' in body) return toStreamFailure(this.#provider, body, providerRequestId);
    return new ProviderFailure({ kind: 'invalid_response', provider: this.#provider, providerRequestId });
  }

  #isOk(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  #text(): string {
    return (this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)).toString('utf8');
  }
}

function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  const options = body.stream_options as { include_usage?: boolean } | null | undefined;
  return options?.include_usage === true;
}
