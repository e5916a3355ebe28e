import type { ModelListener } from '../contract/provider.js';

/** Returns a listener that passes everything on; `changed` replaces some of its methods. */
export function relayTo(listener: ModelListener, changed: Partial<ModelListener>): ModelListener {
  return {
    onOpen: () => listener.onOpen(),
    onText: (delta) => listener.onText(delta),
    onReasoning: (delta) => listener.onReasoning(delta),
    onToolCall: (index, id, name) => listener.onToolCall(index, id, name),
    onToolArguments: (index, delta) => listener.onToolArguments(index, delta),
    onForward: (data, text, isLast, name) => listener.onForward(data, text, isLast, name),
    onUsage: (usage) => listener.onUsage(usage),
    onAnswer: (answer) => listener.onAnswer(answer),
    onFailure: (failure) => listener.onFailure(failure),
    ...changed,
  };
}
