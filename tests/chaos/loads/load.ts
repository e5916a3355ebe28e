// Traffic of several payers through the fake provider, and the answers that each client received.
import { type ApiClient, chatBody, type Json, responsesBody } from '@tollgate/testkit';
import { UPSTREAM_MODEL } from '../../system/start-system.js';

/** One request as its client saw it. */
export interface Asked {
  shape: string;
  /** The service's id of the request; undefined when no headers arrived. */
  requestId: string | undefined;
  /** The client has received the whole answer. */
  isComplete: boolean;
  /** A stream ended without an error, but also without the event that ends it in its protocol. */
  isFalseEnd: boolean;
  /** As reported to the client with the answer. */
  usage?: { inputTokens: number; outputTokens: number };
  /** The provider is asked to fail, so that no answer is complete. */
  isBoundToFail: boolean;
  /** The error instead of an answer, or in its stream. */
  error?: string;
}

export interface Load {
  asked: Asked[];
  /** Answers completed since the load began. */
  completed(): number;
  /** Ends the load after the running requests have ended. */
  stop(): Promise<void>;
}

interface Shape {
  how: 'plain' | 'ndjson' | 'sse' | 'chat';
  text: string;
  isBoundToFail?: boolean;
}

/** Short and long requests, with and without reported usage, with and without upstream failures. */
const SHAPES: readonly Shape[] = [
  { how: 'plain', text: 'say 7 tokens' },
  { how: 'sse', text: 'say 60 tokens, slow 40 ms' },
  { how: 'plain', text: 'say 30 tokens without usage' },
  { how: 'ndjson', text: 'say 25 tokens, slow 8 ms' },
  { how: 'plain', text: 'say 11 tokens, wait 1500 ms' },
  { how: 'chat', text: 'say 40 tokens, slow 30 ms' },
  { how: 'ndjson', text: 'wait 1200 ms, say 5 tokens' },
  { how: 'sse', text: 'cut after 5 tokens', isBoundToFail: true },
  { how: 'chat', text: 'say 12 tokens' },
  { how: 'plain', text: 'fail with 500', isBoundToFail: true },
];
const OUTPUT_TOKENS_MAX = 100;
const PAUSE_AFTER_FAILURE_MS = 50;
const WORKERS_PER_PAYER = 3;

/** Keeps this many requests running per payer until the load is stopped. */
export function startLoad(payers: readonly ApiClient[], workersPerPayer = WORKERS_PER_PAYER): Load {
  const asked: Asked[] = [];
  let isStopping = false;
  let next = 0;
  const work = async (payer: ApiClient): Promise<void> => {
    while (!isStopping) {
      const shape = SHAPES[next++ % SHAPES.length] as Shape;
      const record: Asked = {
        shape: `${shape.how}: ${shape.text}`,
        requestId: undefined,
        isComplete: false,
        isFalseEnd: false,
        isBoundToFail: shape.isBoundToFail === true,
      };
      asked.push(record);
      await ask(payer, shape, record).catch((error: Error) => {
        record.error = error.message;
      });
      if (!record.isComplete) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  };
  const workers = payers.flatMap((payer) => Array.from({ length: workersPerPayer }, () => work(payer)));
  return {
    asked,
    completed: () => asked.filter(({ isComplete }) => isComplete).length,
    stop: async () => {
      isStopping = true;
      await Promise.all(workers);
    },
  };
}

/** Throws when the connection breaks; the record has what was received until then. */
async function ask(payer: ApiClient, { how, text }: Shape, record: Asked): Promise<void> {
  if (how === 'plain') return askPlain(payer, text, record);
  const native = responsesBody(text, { model: UPSTREAM_MODEL, max_output_tokens: OUTPUT_TOKENS_MAX });
  const stream =
    how === 'chat'
      ? await payer.at('/v1').sse('/chat/completions', chatStream(text))
      : how === 'sse'
        ? await payer.sse('/responses', native)
        : await payer.ndjson('/responses', native);
  record.requestId = String(stream.headers['x-service-request-id']);
  let end: 'none' | 'whole' | 'error' = 'none';
  for await (const item of stream) {
    const event: Json = how === 'ndjson' ? item : item.data;
    if (event?.type === 'error' || event?.error) {
      end = 'error';
      record.error = JSON.stringify(event);
    }
    if (event === '[DONE]' && end === 'none') end = 'whole';
    if (event?.type === 'completion') end = 'whole';
    if (event?.usage) record.usage = readUsage(event.usage);
  }
  record.isComplete = end === 'whole';
  record.isFalseEnd = end === 'none' && stream.status === 200;
}

async function askPlain(payer: ApiClient, text: string, record: Asked): Promise<void> {
  const body = responsesBody(text, { model: UPSTREAM_MODEL, max_output_tokens: OUTPUT_TOKENS_MAX });
  const answer = await payer.post('/responses', body);
  record.requestId = answer.requestId;
  if (answer.status !== 200) {
    record.error = answer.text;
    return;
  }
  record.usage = readUsage(answer.body.usage);
  record.isComplete = true;
}

function chatStream(text: string): object {
  return chatBody(text, {
    model: UPSTREAM_MODEL,
    max_tokens: OUTPUT_TOKENS_MAX,
    stream: true,
    stream_options: { include_usage: true },
  });
}

export function readUsage(usage: Json): NonNullable<Asked['usage']> {
  return {
    inputTokens: usage.input_tokens ?? usage.prompt_tokens,
    outputTokens: usage.output_tokens ?? usage.completion_tokens,
  };
}
