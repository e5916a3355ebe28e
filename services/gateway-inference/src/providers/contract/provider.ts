import type { ProviderId, RequestInput } from '@tollgate/api';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ModelRequest } from '../../domain/model-request.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';

/** Dialects of clients that some provider speaks itself, so that its bytes can be forwarded. */
export type ForwardableDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

/** One call of one model at one provider. */
export interface ModelCall {
  requestId: string;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
  /** Under which the call is settled; told to providers that keep it, so that their bills can be matched with the ledger. */
  holdId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  isStream: boolean;
  /** What the hold covers; never exceeded in what is asked of the provider. */
  maxOutputTokens: number;
  /** The request in our own words; made on first use, because a forwarded call never needs it. */
  request(): ModelRequest;
  /** What the model reads, for counting. */
  input(): RequestInput;
  /** Set when the client speaks the provider's dialect. */
  forward: ForwardedRequest | undefined;
}

export interface ForwardedRequest {
  dialect: ForwardableDialect;
  /** The client's parsed body. */
  body: Readonly<Record<string, unknown>>;
  /** The name that the client knows the model by; answers carry it instead of the provider's. */
  modelName: string;
  /** Features of the vendor that the client switches on beside its body; what is not known to be harmless stays here. */
  betas: readonly string[];
}

/**
 * What a provider tells about a call. Exactly one of `onAnswer` and `onFailure` ends it; nothing follows. Streamed
 * calls tell their output piece by piece before that; a forwarding one by `onForward` only.
 */
export interface ModelListener {
  /** The provider has accepted a streamed call and will tell its output. */
  onOpen(): void;
  onText(delta: string): void;
  onToolCall(index: number, id: string, name: string): void;
  onToolArguments(index: number, delta: string): void;
  /**
   * One event in the client's dialect, not to be touched. `text` is what it adds to the output, for estimates.
   * An event with `isLast` belongs to the end of the answer: it must not leave before the call is settled. `name` is the
   * event's, where the dialect has one.
   */
  onForward(data: string, text: string, isLast: boolean, name?: string): void;
  /** A count so far, from providers that give one before the end. */
  onUsage(usage: TokenUsage): void;
  onAnswer(answer: ModelAnswer): void;
  onFailure(failure: ProviderFailure): void;
}

/** A call under way. */
export interface ModelExchange {
  /** Stops reading; what is on its way may still be told. */
  pause(): void;
  resume(): void;
  /** Ends the call at once; the listener hears nothing more. True when the provider may have got it. */
  abort(): boolean;
}

export interface Provider {
  readonly id: ProviderId;
  /** Answers to clients of these dialects are forwarded instead of translated. */
  readonly forwards: readonly ForwardableDialect[];
  /**
   * Begins a call. Never calls the listener before it has returned.
   *
   * @throws AppError when the request cannot be put into the provider's words.
   */
  start(call: ModelCall, listener: ModelListener): ModelExchange;
  /** Closes connections; calls under way have ended before. */
  close(): Promise<void>;
}
