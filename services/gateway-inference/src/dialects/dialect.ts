import type { ProviderId, RequestInput } from '@tollgate/api';
import type { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import type { ModelRequest } from '../domain/model-request.js';
import type { TurnInfo } from '../domain/turn-info.js';
import type { StorageContext, ToolResult, TurnTools } from '../domain/turn-tools.js';
import type { ForwardableDialect } from '../providers/contract/provider.js';

/** Abilities a request needs from its model, in the catalog's words. */
export type Capability =
  | 'vision'
  | 'document'
  | 'audio'
  | 'tool_use'
  | 'structured_output'
  | 'web_search'
  | 'code_execution';

/** One event of a stream, without its framing. */
export interface StreamEvent {
  data: string;
  /** SSE event name, where the dialect has one. */
  event?: string;
}

/** What a writer makes of one piece of an answer. Some dialects need several events for it, some wait for more of it. */
export type StreamEvents = StreamEvent | readonly StreamEvent[] | undefined;

/** In which shape a client asks and is answered. */
export interface Dialect<Body = object> {
  /** Set when a provider that speaks this dialect may forward its bytes. */
  readonly forwardable: ForwardableDialect | undefined;
  /** Where the provider would not take every body of the dialect that is taken here: whether it takes this one. */
  canForward?(body: Body): boolean;
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
  /** Where the dialect has server-side tools: those of the request; undefined when it declares none. */
  tools?(body: Body): TurnTools | undefined;
  /** Where the request wants server-side tools to keep things. */
  storage?(body: Body): StorageContext;
  /** Set when the request asks for what one provider alone has. */
  onlyProvider?(body: Body): ProviderId | undefined;
  /** The model's name in answers. */
  modelName(body: Body, modelId: string): string;
  /** The whole answer of a plain call. @throws AppError for an answer that is none in this dialect */
  writeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage, body: Body): string;
  /** Where answers are forwarded: a whole answer, or an event from the end of a stream, with our usage in its place. */
  withUsage?(json: string, usage: TokenUsage, isEvent: boolean): string;
  /** `countInput` gives our own count of the input tokens. */
  openStream(info: TurnInfo, body: Body, countInput: () => number): StreamWriter;
}

/** Writes the events of one streamed answer, in order: start, pieces, then either end or error. */
export interface StreamWriter {
  /** Sent as soon as the provider answers, or a little later than it should have. */
  start(): StreamEvents;
  text(delta: string): StreamEvents;
  toolCall(index: number, id: string, name: string): StreamEvents;
  toolArguments(index: number, delta: string): StreamEvents;
  /** The service ran one of the calls. */
  toolResult?(result: ToolResult): StreamEvents;
  /** The model is asked again with those results. */
  nextCall?(): void;
  /** Notes an event of the provider that was passed on; `text` is what it adds to the output. */
  forwarded?(event: StreamEvent, text: string): void;
  /** Set when the answer is none in this mode, although the model is done: it is charged and the stream ends in this error. */
  fault?(answer: ModelAnswer): AppError | undefined;
  /** Everything that may only be sent once the turn is settled. `forwarded` are the provider's own last events. */
  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[];
  error(error: AppError): StreamEvents;
}
