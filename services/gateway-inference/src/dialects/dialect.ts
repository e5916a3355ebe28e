import type { ProviderId, RequestInput } from '@tollgate/api/model-requests';
import type { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import type { ModelRequest } from '../domain/model-request.js';
import type { RequestedParameter } from '../domain/optional-parameters.js';
import type { TurnInfo } from '../domain/turn-info.js';
import type { StorageContext, ToolResult, TurnTools } from '../domain/turn-tools.js';
import type { ForwardableDialect } from '../providers/contract/provider.js';

/** Capabilities that a request needs of its model, by the catalog's names. */
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

/** The events for one piece of an answer. Some dialects need several events for it, some wait for more of it. */
export type StreamEvents = StreamEvent | readonly StreamEvent[] | undefined;

/** Where an answer is kept. */
export interface AnswerPlaces {
  /** Clients can read and continue it as a response. */
  isStored: boolean;
  /** It has been added to the conversation of its request. */
  isInConversation: boolean;
  /** Id of the background response that it completes; absent for other answers. */
  backgroundId?: string;
}

/** What an answer says about its own storage. */
export interface AnswerState<Body = object> {
  /** Whether the event has the whole answer so far. */
  isIn(event: StreamEvent): boolean;
  /** Writes into an answer, or into an event that has one, what it continues and where it is kept. */
  write(
    json: string,
    isEvent: boolean,
    body: Body,
    places: AnswerPlaces,
  ): { json: string; answer: Record<string, unknown> };
  /** Whether the request continues a stored answer or a conversation. */
  continues(body: Body): boolean;
  /** The input of the request, with that of the answers before. */
  input(body: Body): unknown;
}

/** The format of a client's requests and answers. */
export interface Dialect<Body = object> {
  /** Set when a provider that speaks this dialect may forward its bytes. */
  readonly forwardable: ForwardableDialect | undefined;
  /** Whether the provider accepts this body; absent if it accepts every body that is accepted here. */
  canForward?(body: Body): boolean;
  /**
   * Returns the capabilities that the request needs, without converting it.
   *
   * @throws AppError for options of the contract that this service does not support
   */
  capabilities(body: Body, isStream: boolean): Capability[];
  /** @throws AppError VALIDATION_ERROR for parts that cannot be converted */
  toModelRequest(body: Body): ModelRequest;
  /** Returns the optional parameters that the body sets; absent if the dialect has none. */
  parameters?(body: Body): RequestedParameter[];
  /** Whether the body turns reasoning off; absent if the dialect cannot. */
  isReasoningOff?(body: Body): boolean;
  /** Returns the number of stop sequences of a body that may be forwarded; absent if the dialect's vendor has no bound. */
  countStops?(body: Body): number;
  /** Returns how many alternative answers the request asks for; absent if the dialect has only one. */
  answers?(body: Body): number;
  /** Returns the parts of the body that a model reads, for counting. */
  input(body: Body): RequestInput;
  /** Returns the server-side tools of the request; undefined if it declares none. Absent if the dialect has none. */
  tools?(body: Body): TurnTools | undefined;
  /** Returns where server-side tools store their state. */
  storage?(body: Body): StorageContext;
  /** Returns the only provider that supports the request, if there is only one. */
  onlyProvider?(body: Body): ProviderId | undefined;
  /** The model's name in answers. */
  modelName(body: Body, modelId: string): string;
  /** Returns the whole answer of a plain call. @throws AppError for an answer that is invalid in this dialect */
  writeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage, body: Body): string;
  /** Replaces the usage of a forwarded answer, or of an event from the end of a forwarded stream. */
  withUsage?(json: string, usage: TokenUsage, isEvent: boolean): string;
  /** Absent if answers in this dialect cannot be stored. */
  readonly state?: AnswerState<Body>;
  /** `countInput` gives our own count of the input tokens. */
  openStream(info: TurnInfo, body: Body, countInput: () => number): StreamWriter;
}

/** Writes the events of one streamed answer, in order: start, pieces, then either end or error. */
export interface StreamWriter {
  /** Sent as soon as the provider begins to answer, or after a second without an answer. */
  start(): StreamEvents;
  text(delta: string): StreamEvents;
  toolCall(index: number, id: string, name: string): StreamEvents;
  toolArguments(index: number, delta: string): StreamEvents;
  /** The service ran one of the calls. */
  toolResult?(result: ToolResult): StreamEvents;
  /** The model is asked again with those results. */
  nextCall?(): void;
  /** Tracks a forwarded event of the provider; `text` is the output that it adds. */
  forwarded?(event: StreamEvent, text: string): void;
  /** Returns an error if a complete answer is invalid in this mode: it is charged, and the stream ends in this error. */
  fault?(answer: ModelAnswer): AppError | undefined;
  /** Returns the events that are sent after the settlement. `forwarded` are the provider's own last events. */
  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[];
  error(error: AppError): StreamEvents;
}
