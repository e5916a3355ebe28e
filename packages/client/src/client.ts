import { Caller, type EventStream } from './core/caller.js';
import { type CallOptions, type ClientOptions, toSettings } from './core/settings.js';
import { follow } from './follow.js';
import { Operations } from './gen/operations.js';
import type { components } from './gen/schema.js';

type Schemas = components['schemas'];
export type RunEvent = Schemas['RunEvent'];

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'headers' | 'customerId'> {
  /** Starts behind this event of the run. Default: 0, from the start. */
  afterSeq?: number | undefined;
  /** With the session of an owner: the project of the run. */
  projectId?: string | undefined;
}

const LAST_EVENTS = new Set<string>(['run_completed', 'run_failed', 'run_canceled']);

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
}
