import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ModelExchange, ModelListener } from '../contract/provider.js';
import { relayTo } from './relay.js';

/** Starts a call whose output goes to the listener. */
export type StartCall = (listener: ModelListener) => ModelExchange;

interface Found {
  /** The text before the sequence. */
  before: string;
  stopSequence: string;
}

/**
 * Ends an answer at stop sequences that its provider was not asked to watch for, because it accepts only some of them. A stream is cut
 * there: the provider is paid for what it has written. Text that may be the start of a sequence waits for what follows.
 */
export function watchStops(stops: readonly string[], listener: ModelListener, start: StartCall): ModelExchange {
  if (stops.length === 0) return start(listener);
  /** End of the text that may belong to a sequence. */
  let held = '';
  let hasStreamed = false;
  const release = (): void => {
    if (held === '') return;
    const text = held;
    held = '';
    listener.onText(text);
  };
  const exchange = start(
    relayTo(listener, {
      onText(delta) {
        hasStreamed = true;
        const text = held + delta;
        const found = findStop(text, stops);
        held = found ? '' : text.slice(text.length - longestStart(text, stops));
        const passed = found ? found.before : text.slice(0, text.length - held.length);
        if (passed !== '') listener.onText(passed);
        if (!found) return;
        exchange.abort();
        const { stopSequence } = found;
        listener.onAnswer({
          responseId: '',
          stopReason: 'stop',
          stopSequence,
          text: '',
          toolCalls: [],
          usage: undefined,
        });
      },
      onToolCall(index, id, name) {
        release();
        listener.onToolCall(index, id, name);
      },
      onAnswer(answer) {
        release();
        listener.onAnswer(hasStreamed ? answer : cutAnswer(answer, stops));
      },
      onFailure(failure) {
        release();
        listener.onFailure(failure);
      },
    }),
  );
  return exchange;
}

/** Cuts a whole answer at the first sequence, with everything that follows it. */
function cutAnswer(answer: ModelAnswer, stops: readonly string[]): ModelAnswer {
  const found = findStop(answer.text, stops);
  if (!found) return answer;
  const { continuation: _continuation, ...rest } = answer;
  return { ...rest, text: found.before, toolCalls: [], stopReason: 'stop', stopSequence: found.stopSequence };
}

/** Returns the sequence that occurs first; of two at one place, the longer. */
function findStop(text: string, stops: readonly string[]): Found | undefined {
  let best: { at: number; stop: string } | undefined;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at === -1) continue;
    const isFirst = !best || at < best.at || (at === best.at && stop.length > best.stop.length);
    if (isFirst) best = { at, stop };
  }
  return best && { before: text.slice(0, best.at), stopSequence: best.stop };
}

/** Returns how many characters at the end of the text may be the start of a sequence. */
function longestStart(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
