import { Caller, type EventStream } from './core/caller.js';
import { type CallOptions, type ClientOptions, toSettings } from './core/settings.js';
import { follow } from './follow.js';
import { Operations } from './gen/operations.js';
import type { components } from './gen/schema.js';

type Schemas = components['schemas'];
export type RunEvent = Schemas['RunEvent'];
export type ResponseEvent = Schemas['OpenAiResponseEvent'];

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'headers' | 'customerId'> {
  /** Starts behind this event of the run. Default: 0, from the start. */
  afterSeq?: number | undefined;
  /** With the session of an owner: the project of the run. */
  projectId?: string | undefined;
}

export interface FollowResponseOptions extends Pick<CallOptions, 'signal' | 'headers' | 'customerId'> {
  /** Starts behind the event with this sequence number. Default: from the start. */
  startingAfter?: number | undefined;
}

const LAST_EVENTS = new Set<string>(['run_completed', 'run_failed', 'run_canceled']);
const LAST_RESPONSE_EVENTS = new Set<string>(['response.completed', 'response.incomplete', 'response.failed']);

/** The client: one method per operation of the API, and what needs more than one request. */
export class Tollgate extends Operations {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    super(new Caller(toSettings(options)));
    this.#options = options;
  }

  /** Returns a client with other options, such as another credential. */
  with(options: Partial<ClientOptions>): Tollgate {
    return new Tollgate({ ...this.#options, ...options });
  }

  /**
   * Yields the events of a run until it ends: stored events, then new ones. After a broken connection it continues behind
   * the last event, so that each event comes once and in order.
   */
  followRun(runId: string, options: FollowOptions = {}): EventStream<RunEvent> {
    const { afterSeq = 0, projectId, ...callOptions } = options;
    const open = (last: RunEvent | undefined): AsyncIterable<RunEvent> => {
      const query = { after_seq: last?.seq ?? afterSeq, wait: 'true' } as const;
      const once = { ...callOptions, retriesMax: 0 };
      if (projectId === undefined) return this.streamRunEvents(runId, query, once);
      return this.streamProjectRunEvents(projectId, runId, query, once);
    };
    return follow(
      {
        open,
        isRepeat: (event, last) => event.seq <= (last?.seq ?? afterSeq),
        isLast: (event) => LAST_EVENTS.has(event.type),
      },
      this.caller.settings.timing,
      options.signal,
    );
  }

  /**
   * Yields the events of a background response that was created with `stream: true`, until it ends: stored events, then new ones.
   * After a broken connection it continues behind the last event, so that each event comes once and in order.
   */
  followResponse(responseId: string, options: FollowResponseOptions = {}): EventStream<ResponseEvent> {
    const { startingAfter = -1, ...callOptions } = options;
    const place = (event: ResponseEvent | undefined): number => event?.sequence_number ?? startingAfter;
    const open = (last: ResponseEvent | undefined): AsyncIterable<ResponseEvent> => {
      const after = place(last);
      const query = { stream: 'true', ...(after >= 0 && { starting_after: after }) } as const;
      return this.getOpenAiResponseStream(responseId, query, { ...callOptions, retriesMax: 0 });
    };
    return follow(
      {
        open,
        isRepeat: (event, last) => place(event) <= place(last),
        isLast: (event) => LAST_RESPONSE_EVENTS.has(event.type),
      },
      this.caller.settings.timing,
      options.signal,
    );
  }
}
