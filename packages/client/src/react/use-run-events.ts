import { useEffect, useState } from 'react';
import type { FollowOptions, RunEvent, Tollgate } from '../client.js';
import { keepLast } from './keep-last.js';
import { useTollgate } from './provider.js';

export interface RunEventsOptions extends Pick<FollowOptions, 'afterSeq' | 'projectId' | 'customerId'> {
  /** Keeps this many events, the last ones. Default: 1000. */
  eventsMax?: number | undefined;
}

export interface RunEvents {
  /** In order, each once, also over broken connections. */
  events: readonly RunEvent[];
  /** `idle` without a run; `ended` when the run is completed, failed or canceled. */
  status: 'idle' | 'streaming' | 'ended' | 'failed';
  /** Why the stream failed. */
  error: unknown;
}

interface Followed extends RunEvents {
  runId: string | undefined;
}

const NO_EVENTS: readonly RunEvent[] = [];

/** Follows a run while the component is shown. Without a run id it waits for one. */
export function useRunEvents(runId: string | undefined, options: RunEventsOptions = {}): RunEvents {
  const { afterSeq, projectId, customerId, eventsMax = 1_000 } = options;
  const client = useTollgate();
  const [followed, setFollowed] = useState<Followed>(() => makeStart(runId));
  useEffect(() => {
    setFollowed(makeStart(runId));
    if (runId === undefined) return;
    const controller = new AbortController();
    const following = { afterSeq, projectId, customerId, signal: controller.signal };
    const show = (change: (shown: Followed) => Partial<Followed>): void => {
      if (!controller.signal.aborted) setFollowed((shown) => ({ ...shown, ...change(shown) }));
    };
    void followInto(client, runId, following, { eventsMax, show });
    return () => controller.abort();
  }, [client, runId, afterSeq, projectId, customerId, eventsMax]);
  // The first render with another run comes before its effect.
  const { events, status, error } = followed.runId === runId ? followed : makeStart(runId);
  return { events, status, error };
}

function makeStart(runId: string | undefined): Followed {
  return { runId, events: NO_EVENTS, status: runId === undefined ? 'idle' : 'streaming', error: undefined };
}

type Show = (change: (shown: Followed) => Partial<Followed>) => void;

async function followInto(
  client: Tollgate,
  runId: string,
  options: FollowOptions,
  { eventsMax, show }: { eventsMax: number; show: Show },
): Promise<void> {
  try {
    for await (const event of client.followRun(runId, options)) {
      show(({ events }) => ({ events: keepLast(events, event, eventsMax) }));
    }
    show(() => ({ status: 'ended' }));
  } catch (error) {
    show(() => ({ status: 'failed', error }));
  }
}
