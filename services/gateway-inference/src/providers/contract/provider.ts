import type { ProviderId, RequestInput } from '@tollgate/api/model-requests';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { FunctionTool, ModelRequest } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';

/** Client dialects that some provider speaks itself, so that its bytes can be forwarded. */
export type ForwardableDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'google-generate';

/** Writes a body when its turn has come. Rejects when it cannot be written now. */
export type PendingBody = () => Promise<Uint8Array>;

/** The model of a call, as far as its parameters depend on it. */
export interface CalledModel {
  /** The model's name at the provider. */
  upstreamModel: string;
  /** Its id in the catalog. */
  modelId: string;
  /** Whether it reasons before it answers, by its record. */
  reasons: boolean;
  /** Whether the request turns that off. */
  isReasoningOff: boolean;
}

/** One call of one model at one provider. */
export interface ModelCall {
  requestId: string;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
  /** The call's hold; sent to providers that store it, so that their bills can be matched with the ledger. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  /** Its id in the catalog, and whether it reasons by its record. */
  modelId: string;
  reasons: boolean;
  isStream: boolean;
  /** Output tokens that the hold covers. The provider is never asked for more. */
  maxOutputTokens: number;
  /** The converted request; converted on first use, because a forwarded call never needs it. */
  request(): ModelRequest;
  /** The parts that the model reads, for counting. */
  input(): RequestInput;
  /** Writes the provider's request as JSON; a large one later, in another thread. */
  encode(request: object): string | PendingBody;
  /** Set when the client speaks the provider's dialect. */
  forward: ForwardedRequest | undefined;
}

export interface ForwardedRequest {
  dialect: ForwardableDialect;
  /** The client's parsed body. */
  body: Readonly<Record<string, unknown>>;
  /** The client's name of the model; answers carry it instead of the provider's. */
  modelName: string;
  /** Vendor features that the client enables by header; only those known to be harmless are forwarded. */
  betas: readonly string[];
  /** Whether the catalog has a price for prompts that the vendor caches for an hour; absent if it has none. */
  hasHourCache?: boolean;
  /** Whether the answer must include its reasoning in the form in which it can be sent back, because it is stored. */
  sealsReasoning?: boolean;
}

/**
 * Receives the events of one call. Exactly one of `onAnswer` and `onFailure` ends it; nothing follows. Streamed calls emit
 * their output piece by piece before that; forwarded calls emit it by `onForward` only.
 */
export interface ModelListener {
  /** The provider has accepted a streamed call; its output follows. */
  onOpen(): void;
  onText(delta: string): void;
  /** Reasoning of a converted answer, which the client does not get. It is measured as output. */
  onReasoning(delta: string): void;
  onToolCall(index: number, id: string, name: string): void;
  onToolArguments(index: number, delta: string): void;
  /**
   * One event in the client's dialect, to be sent unchanged. `text` is the output that it adds, for estimates. An event with
   * `isLast` belongs to the end of the answer: it must not leave before the call is settled. `name` is the event's name, if the
   * dialect has event names.
   */
  onForward(data: string, text: string, isLast: boolean, name?: string): void;
  /** The usage so far, from providers that report it before the end. */
  onUsage(usage: TokenUsage): void;
  onAnswer(answer: ModelAnswer): void;
  onFailure(failure: ProviderFailure): void;
}

/** A running call. */
export interface ModelExchange {
  /** Stops reading; output that has already arrived may still be emitted. */
  pause(): void;
  resume(): void;
  /** Emits the output that has arrived and waits for its turn. */
  readWaiting(): void;
  /** Ends the call at once; no listener call follows. Returns true if the provider may have received the request. */
  abort(): boolean;
}

export interface Provider {
  readonly id: ProviderId;
  /** Answers to clients of these dialects are forwarded instead of converted. */
  readonly forwards: readonly ForwardableDialect[];
  /** Whether calls of a model are converted for clients of every dialect; absent if none are. */
  converts?(model: Pick<CalledModel, 'upstreamModel' | 'modelId'>): boolean;
  /** Returns the optional parameters that converted calls of a model support. */
  parameters(upstreamModel: string): readonly OptionalParameter[];
  /** Optional parameters that forwarded calls lack; absent if none. */
  readonly lackedParameters?: readonly OptionalParameter[];
  /** Parameters that neither converted nor forwarded calls of a model have; absent if none. */
  lacks?(model: CalledModel): readonly OptionalParameter[];
  /** Most stop sequences of a forwarded call; the service watches for those of converted calls. Absent: no bound. */
  stopsMax?(model: CalledModel): number;
  /** Returns why converted calls cannot offer a function; absent or undefined if they can. */
  toolFault?(tool: FunctionTool): string | undefined;
  /** Whether converted requests must contain the images themselves, because the provider reads none by URL; absent if it does. */
  readonly takesImagesInline?: true;
  /**
   * Starts a call. Never calls the listener before it has returned.
   *
   * @throws AppError if the provider does not support the request
   */
  start(call: ModelCall, listener: ModelListener): ModelExchange;
  /** Closes connections, after all calls have ended. */
  close(): Promise<void>;
}
