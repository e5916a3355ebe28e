import { useEffect, useState } from 'react';
import { ApiFailure, open } from '../../api/client.js';
import { readLines } from '../../api/read-lines.js';
import type { RequestRow } from '../../api/types.js';

/** The newest rows that the page keeps. */
const ROWS_MAX = 200;
const RETRY_MS = 2_000;

/** Requests as they end, newest first; those of the last minute first of all. */
export function useLiveRequests(projectId: string, filters: Record<string, string | undefined>) {
  const [rows, setRows] = useState<readonly RequestRow[]>([]);
  const [error, setError] = useState<unknown>();
  const [isConnected, setConnected] = useState(false);
  const asked = JSON.stringify(filters);
  useEffect(() => {
    const stop = new AbortController();
    setRows([]);
    setError(undefined);
    const add = (row: RequestRow) =>
      setRows((before) => [row, ...before.filter(({ id }) => id !== row.id)].slice(0, ROWS_MAX));
    const path = `/projects/${projectId}/requests/live`;
    follow(path, JSON.parse(asked), { signal: stop.signal, onRow: add, onConnected: setConnected }).catch((failure) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [projectId, asked]);
  return { rows, error, isConnected };
}

interface Following {
  signal: AbortSignal;
  onRow: (row: RequestRow) => void;
  onConnected: (isConnected: boolean) => void;
}

/** The service ends the answer after some minutes; a broken connection is opened again. */
async function follow(
  path: string,
  filters: Record<string, string | undefined>,
  { signal, onRow, onConnected }: Following,
): Promise<void> {
  const query = { ...filters, wait: true };
  while (!signal.aborted) {
    try {
      const response = await open('GET', path, { query, headers: { Accept: 'application/x-ndjson' }, signal });
      onConnected(true);
      for await (const row of readLines<RequestRow | { type: string }>(response)) if ('id' in row) onRow(row);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiFailure && error.status < 500) throw error;
      onConnected(false);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
