import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure, open } from '../../api/client.js';
import { readLines } from '../../api/read-lines.js';
import type { ResponseEvent } from '../../api/types.js';

type Completion = Extract<ResponseEvent, { type: 'completion' }>;

/** An answer as far as it has arrived. Times are in milliseconds since the request. */
export interface AnswerState {
  isOpen: boolean;
  text: string;
  requestId: string | undefined;
  firstMs?: number;
  totalMs?: number;
  completion?: Completion;
  /** The person ended the answer; what was made until then is charged. */
  isStopped?: boolean;
  error?: unknown;
}

/** Asks `POST /responses` and follows its stream; one question at a time. */
export function useAnswer(projectId: string) {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<AnswerState>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const change = (changes: Partial<AnswerState>) => setAnswer((before) => ({ ...(before ?? EMPTY), ...changes }));

  const ask = async (body: unknown, customerId: string): Promise<void> => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const startedMs = performance.now();
    const elapsed = () => performance.now() - startedMs;
    setAnswer({ ...EMPTY, isOpen: true });
    try {
      const headers = {
        Accept: 'application/x-ndjson',
        ...(customerId !== '' && { 'X-Service-Customer-Id': customerId }),
      };
      const response = await open('POST', `/projects/${projectId}/responses`, {
        body,
        headers,
        signal: control.signal,
      });
      change({ requestId: response.headers.get('X-Service-Request-Id') ?? undefined });
      await follow(response, elapsed, change);
    } catch (error) {
      if (!control.signal.aborted) change({ error });
      else if (running.current === control) change({ isStopped: true });
    }
    if (running.current === control) change({ isOpen: false, totalMs: elapsed() });
    for (const key of [['usage'], ['account'], ['customer', projectId]])
      void client.invalidateQueries({ queryKey: key });
  };
  return { answer, ask, stop: () => running.current?.abort() };
}

const EMPTY: AnswerState = { isOpen: false, text: '', requestId: undefined };

async function follow(
  response: Response,
  elapsed: () => number,
  change: (changes: Partial<AnswerState>) => void,
): Promise<void> {
  let text = '';
  for await (const event of readLines<ResponseEvent>(response)) {
    if (event.type === 'update' && 'delta' in event) {
      if (text === '') change({ firstMs: elapsed() });
      text += event.delta;
      change({ text });
    } else if (event.type === 'completion') {
      change({ completion: event, text: event.content ?? text });
    } else if (event.type === 'error') {
      throw new ApiFailure(event.message, { status: event.status, code: event.code, requestId: event.request_id });
    }
  }
}
