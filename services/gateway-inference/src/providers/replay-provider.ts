import type { ProviderId } from '@tollgate/api/model-requests';
import type { CachedAnswer } from '../clients/response-cache.js';
import type { OptionalParameter } from '../domain/optional-parameters.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from './contract/provider.js';

/** Replays a cached answer as its provider would send it. Asks no provider. */
export class ReplayProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards = [];
  readonly #kept: CachedAnswer;

  constructor(kept: CachedAnswer) {
    this.id = kept.provider;
    this.#kept = kept;
  }

  /** The answer was given to the same parameters. */
  parameters(): readonly OptionalParameter[] {
    return ['frequency_penalty', 'presence_penalty', 'seed', 'top_k'];
  }

  start({ isStream }: ModelCall, listener: ModelListener): ModelExchange {
    const { answer } = this.#kept;
    let isOver = false;
    queueMicrotask(() => {
      if (isOver) return;
      isOver = true;
      if (isStream) {
        listener.onOpen();
        if (answer.text !== '') listener.onText(answer.text);
        for (const [index, call] of answer.toolCalls.entries()) {
          listener.onToolCall(index, call.id, call.name);
          listener.onToolArguments(index, call.arguments);
        }
      }
      listener.onAnswer(answer);
    });
    return {
      pause() {},
      resume() {},
      readWaiting() {},
      abort() {
        isOver = true;
        return false;
      },
    };
  }

  async close(): Promise<void> {}
}
