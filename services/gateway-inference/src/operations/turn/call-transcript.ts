import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';

/** What one model call of a turn has said, told piece by piece or whole. */
export class CallTranscript {
  /** Place in the turn of the call's first tool call. */
  readonly base: number;
  text = '';
  readonly #calls = new Map<number, AnswerToolCall>();

  constructor(base: number) {
    this.base = base;
  }

  static of(answer: ModelAnswer, base: number): CallTranscript {
    const said = new CallTranscript(base);
    said.text = answer.text;
    for (const [index, call] of answer.toolCalls.entries()) said.#calls.set(index, call);
    return said;
  }

  get isEmpty(): boolean {
    return this.text === '' && this.#calls.size === 0;
  }

  get calls(): AnswerToolCall[] {
    return [...this.#calls.values()];
  }

  /** Place in the turn behind the last tool call. */
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

  /** For the request that goes on: what the model said, and what its tools gave. */
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
