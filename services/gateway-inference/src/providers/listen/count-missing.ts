import { type ModelAnswer, type TokenUsage, toOutputText } from '../../domain/model-answer.js';
import type { ModelExchange, ModelListener } from '../contract/provider.js';
import { relayTo } from './relay.js';
import type { StartCall } from './watch-stops.js';

/** Counts a call whose output is this text; undefined if it cannot. */
export type CountCall = (output: string, signal: AbortSignal) => Promise<TokenUsage | undefined>;

/** Adds the usage to an answer whose provider reported none. The answer stays without one if the count fails. */
export function countMissing(listener: ModelListener, start: StartCall, count: CountCall): ModelExchange {
  const left = new AbortController();
  let output = '';
  let isReported = false;

  async function answerCounted(answer: ModelAnswer): Promise<void> {
    const text = output === '' ? toOutputText(answer) : output;
    const usage = await count(text, left.signal).catch(() => undefined); // the estimate that follows is marked
    if (left.signal.aborted) return;
    listener.onAnswer(usage ? { ...answer, usage, isUsageCounted: true } : answer);
  }

  const exchange = start(
    relayTo(listener, {
      onText(delta) {
        output += delta;
        listener.onText(delta);
      },
      onReasoning(delta) {
        output += delta;
        listener.onReasoning(delta);
      },
      onToolCall(index, id, name) {
        output += name;
        listener.onToolCall(index, id, name);
      },
      onToolArguments(index, delta) {
        output += delta;
        listener.onToolArguments(index, delta);
      },
      onForward(data, text, isLast, name) {
        output += text;
        listener.onForward(data, text, isLast, name);
      },
      onUsage(usage) {
        isReported ||= hasTokens(usage);
        listener.onUsage(usage);
      },
      onAnswer(answer) {
        if (isReported || hasTokens(answer.usage)) listener.onAnswer(answer);
        else void answerCounted(answer);
      },
    }),
  );
  return {
    pause: () => exchange.pause(),
    resume: () => exchange.resume(),
    readWaiting: () => exchange.readWaiting(),
    abort() {
      left.abort();
      return exchange.abort();
    },
  };
}

/** Servers that do not count report zeros. */
function hasTokens(usage: TokenUsage | undefined): boolean {
  return usage !== undefined && usage.inputTokens + usage.outputTokens > 0;
}
