import type { RequestInput } from '@tollgate/api';
import type { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import type { ModelRequest } from '../domain/model-request.js';
import type { TurnFacts } from '../domain/turn-facts.js';
import type { ForwardableDialect } from '../providers/provider.js';

/** Abilities a request needs from its model, in the catalog's words. */
export type Capability = 'vision' | 'document' | 'audio' | 'tool_use' | 'structured_output';

/** One event of a stream, without its framing. */
export interface StreamEvent {
  data: string;
  /** SSE event name, where the dialect has one. */
  event?: string;
}

/** In which shape a client asks and is answered. */
export interface Dialect<Body = object> {
  /** Set when a provider that speaks this dialect may forward its bytes. */
  readonly forwardable: ForwardableDialect | undefined;
  /**
   * What the request needs, found without translating it.
   *
   * @throws AppError for what the contract allows and this service does not do.
   */
  capabilities(body: Body, isStream: boolean): Capability[];
  /** @throws AppError VALIDATION_ERROR for what cannot be put into our words. */
  toModelRequest(body: Body): ModelRequest;
  /** What a model reads of the body, for counting. */
  input(body: Body): RequestInput;
  /** The model's name in answers. */
  modelName(body: Body, modelId: string): string;
  /** The whole answer of a plain call. */
  writeAnswer(facts: TurnFacts, answer: ModelAnswer, usage: TokenUsage): string;
  openStream(facts: TurnFacts, body: Body): StreamWriter;
}

/** Writes the events of one streamed answer, in order: start, pieces, then either end or error. */
export interface StreamWriter {
  /** Sent as soon as the provider answers, or a little later than it should have. */
  start(): StreamEvent | undefined;
  text(delta: string): StreamEvent;
  toolCall(index: number, id: string, name: string): StreamEvent;
  toolArguments(index: number, delta: string): StreamEvent;
  /** Everything that may only be sent once the turn is settled. `forwarded` are the provider's own last events. */
  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[];
  error(error: AppError): StreamEvent;
}
