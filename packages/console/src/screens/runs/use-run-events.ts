import { useEffect, useState } from 'react';
import { open } from '../../api/client.js';
import { readLines } from '../../api/read-lines.js';
import type { RunEvent } from '../../api/types.js';

/** The newest events that the page keeps. */
const EVENTS_MAX = 2_000;
const RETRY_MS = 2_000;

/** Types of events that change the snapshot of a run. */
const CHANGES = /^(run_|node_(started|succeeded|failed|waiting))/;

/**
 * The event log of a run, followed live. Calls `onChange` when the run or a node has changed its state. Without a path,
 * nothing is read yet.
 */
export function useRunEvents(path: string | undefined, onChange: () => void): readonly RunEvent[] {
  const [events, setEvents] = useState<readonly RunEvent[]>([]);
  useEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    setEvents([]);
    void follow(path, stop.signal, (event) => {
      setEvents((before) => [...before, event].slice(-EVENTS_MAX));
      if (CHANGES.test(event.type)) onChange();
    });
    return () => stop.abort();
  }, [path, onChange]);
  return events;
}

/** Reads on after a broken connection, from the last event. */
async function follow(path: string, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<void> {
  let afterSeq = 0;
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'application/x-ndjson' };
      const response = await open('GET', `${path}/events`, { query: { after_seq: afterSeq }, headers, signal });
      for await (const event of readLines<RunEvent>(response)) {
        if (signal.aborted) return;
        if (!('seq' in event)) continue;
        afterSeq = event.seq;
        onEvent(event);
      }
      // The log is complete when the service ends the answer.
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
