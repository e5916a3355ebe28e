// A small, steady load of every kind, so that every panel has something to show and every ratio a base.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, chatBody, responsesBody, runBody } from '@tollgate/testkit';
import { UPSTREAM_MODEL } from '../system/start-system.js';

export interface Traffic {
  /** Sets the text of the next requests to the fake provider; `undefined` is the usual mix. */
  ask(text: string | undefined): void;
  stop(): Promise<void>;
}

const WORKERS = 3;
const PAUSE_MS = 150;
const RUN_EACH = 10;
const MIX = ['say 7 tokens', 'say 12 tokens', 'say 5 tokens', 'say 9 tokens', 'say 6 tokens'];
/** One in this many requests fails at the provider: fewer than the alert allows. */
const FAIL_EACH = 31;

export function startTraffic(api: ApiClient): Traffic {
  let asked: string | undefined;
  let sent = 0;
  const stopping = new AbortController();
  const once = async (): Promise<void> => {
    const n = ++sent;
    const text = asked ?? (n % FAIL_EACH === 0 ? 'fail with 500' : (MIX[n % MIX.length] as string));
    if (n % RUN_EACH === 0) await api.post('/runs', runBody(text));
    else if (n % RUN_EACH === 1) await api.post('/responses', responsesBody(text, { model: 'no/such-model' }));
    else if (n % RUN_EACH < 5)
      await (await api.ndjson('/responses', responsesBody(text, { model: UPSTREAM_MODEL, stream: true }))).all();
    else if (n % RUN_EACH < 8) await api.post('/responses', responsesBody(text, { model: UPSTREAM_MODEL }));
    else await api.post('/v1/chat/completions', chatBody(text, { model: UPSTREAM_MODEL }));
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await once().catch(() => undefined); // exercises make requests fail
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    ask: (text) => {
      asked = text;
    },
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
}
