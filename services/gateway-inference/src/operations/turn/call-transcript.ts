import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';

/** Collects the text and the tool calls of one model call, from its stream or from its whole answer. */
export class CallTranscript {
  /** Index in the turn of the call's first tool call. */
  readonly base: number;
  text = '';
  readonly #calls = new Map<number, AnswerToolCall>();

  constructor(base: number) {
    this.base = base;
  }

  static of(answer: ModelAnswer, base: number): CallTranscript {
    const transcript = new CallTranscript(base);
    transcript.text = answer.text;
    for (const [index, call] of answer.toolCalls.entries()) transcript.#calls.set(index, call);
    return transcript;
  }

  get isEmpty(): boolean {
    return this.text === '' && this.#calls.size === 0;
  }

  get calls(): AnswerToolCall[] {
    return [...this.#calls.values()];
  }

  /** Index in the turn after the last tool call. */
  get end(): number {
    return this.base + Math.max(-1, ...this.#calls.keys()) + 1;
  }

  open(index: number, id: string, name: string): number {
    this.#calls.set(index, { id, name, arguments: '' });
    return this.base + index;
  }

  write(index: number, delta: string): number {
    const call = this.#calls.get(index);
    if (call) call.arguments += delta;
    return this.base + index;
  }

  /** Returns the messages that continue the conversation: the model's own, and the results of its tools. */
  messages(answer: ModelAnswer, results: readonly { id: string; text: string }[]): ModelMessage[] {
    const { continuation } = answer;
    const assistant: ModelMessage = {
      role: 'assistant',
      content: this.text === '' ? [] : [{ type: 'text', text: this.text }],
      toolCalls: this.calls.map(({ id, name, arguments: args }) => {
        return { id, type: 'function', function: { name, arguments: args } };
      }),
      toolCallId: undefined,
      ...(continuation ? { continuation } : {}),
    };
    const tools = results.map(({ id, text }): ModelMessage => {
      return { role: 'tool', content: [{ type: 'text', text }], toolCalls: [], toolCallId: id };
    });
    return [assistant, ...tools];
  }
}
