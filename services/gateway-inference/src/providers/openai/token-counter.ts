import type { ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import { z } from 'zod';
import type { TokenUsage } from '../../domain/model-answer.js';
import type { ModelCall } from '../contract/provider.js';
import type { Upstream } from '../transport/upstream.js';
import { callUpstream } from '../transport/upstream-call.js';
import { toFailure } from './upstream-error.js';

/** Servers that count tokens, each in a form of its own. */
export type TokenizeForm = 'vllm' | 'llama.cpp';

/** The client waits for its answer until the tokens are counted. */
const DEADLINE_MS = 2_000;
/** Of the texts that are counted; larger ones are estimated. */
const CHARACTERS_MAX = 2 * 1024 * 1024;
/** The answers list the token of each piece. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

const counted = z.object({ count: z.int().min(0) });
const tokenized = z.object({ tokens: z.array(z.unknown()) });
const templated = z.object({ prompt: z.string() });

type Post = (path: string, body: object) => Promise<unknown>;

/** Asks a server to count tokens with the model's own tokenizer and chat template. */
export class TokenCounter {
  readonly #form: TokenizeForm;
  readonly #provider: ProviderId;
  readonly #upstream: Upstream;

  /** `upstream`: the root of the server, where these endpoints are. Closed with the counter. */
  constructor(form: TokenizeForm, provider: ProviderId, upstream: Upstream) {
    this.#form = form;
    this.#provider = provider;
    this.#upstream = upstream;
  }

  /**
   * Counts a call by the chat request that was sent. Returns undefined for a request that is not only text, or too long.
   *
   * @throws ProviderFailure; an error of the form; the signal's reason; TimeoutError
   */
  async count(
    call: ModelCall,
    request: JsonObject,
    output: string,
    signal: AbortSignal,
  ): Promise<TokenUsage | undefined> {
    const { messages, files = [] } = call.input();
    const characters = messages.reduce((sum, text) => sum + text.length, output.length);
    if (files.length > 0 || characters > CHARACTERS_MAX) return undefined;
    const post = this.#postFor(call, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]));
    const ask = this.#form === 'vllm' ? countByVllm : countByLlamaCpp;
    const [inputTokens, outputTokens] = await ask(post, request, output);
    return { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheWriteInputTokens: 0, reasoningTokens: 0 };
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  #postFor({ accountId }: ModelCall, signal: AbortSignal): Post {
    return async (path, body) => {
      const answer = await callUpstream(this.#upstream, {
        path,
        headers: ['content-type', 'application/json'],
        body: JSON.stringify(body),
        signal,
        accountId,
        bytesMax: ANSWER_BYTES_MAX,
        readFailure: toFailure.bind(undefined, this.#provider),
      });
      return JSON.parse(answer.body.toString('utf8'));
    };
  }
}

/** Source: `vllm/entrypoints/openai/protocol.py`, TokenizeChatRequest and TokenizeCompletionRequest. */
async function countByVllm(
  post: Post,
  { model, messages, tools }: JsonObject,
  output: string,
): Promise<[number, number]> {
  const prompt = { model, messages, add_generation_prompt: true, ...(tools ? { tools } : {}) };
  const answers = await Promise.all([
    post('/tokenize', prompt),
    post('/tokenize', { model, prompt: output, add_special_tokens: false }),
  ]);
  const [input, written] = answers.map((answer) => counted.parse(answer).count);
  return [input!, written!];
}

/** Source: `tools/server/README.md` of llama.cpp, `/apply-template` and `/tokenize`. */
async function countByLlamaCpp(post: Post, { messages, tools }: JsonObject, output: string): Promise<[number, number]> {
  const count = async (content: string, isPrompt: boolean) =>
    tokenized.parse(await post('/tokenize', { content, add_special: isPrompt })).tokens.length;
  const prompt = templated.parse(await post('/apply-template', { messages, ...(tools ? { tools } : {}) })).prompt;
  return Promise.all([count(prompt, true), count(output, false)]);
}
