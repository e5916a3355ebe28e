import { textPart } from './response-resource.js';

type Json = Record<string, unknown>;

/** Tracks the items of a forwarded response, as far as they have arrived. */
export class ForwardedItems {
  readonly #done: Json[] = [];
  #open: Json | undefined;
  #text = '';

  /** Tracks a forwarded event; `text` is the output that it adds. */
  note(event: string | undefined, data: string, text: string): void {
    if (event === 'response.output_item.added') {
      this.#open = readItem(data);
      this.#text = '';
    } else if (event === 'response.output_item.done') {
      this.#done.push(readItem(data));
      this.#open = undefined;
    } else {
      this.#text += text;
    }
  }

  /** Returns the complete items, and the open one as it was cut. Leaves out cut reasoning, which cannot be sent back. */
  items(): Json[] {
    const status = 'incomplete';
    switch (this.#open?.type) {
      case 'message':
        return [...this.#done, { ...this.#open, status, content: [textPart(this.#text)] }];
      case 'function_call':
        return [...this.#done, { ...this.#open, status, arguments: this.#text }];
      case 'custom_tool_call':
        return [...this.#done, { ...this.#open, status, input: this.#text }];
      default:
        return this.#done;
    }
  }
}

function readItem(data: string): Json {
  return (JSON.parse(data) as { item: Json }).item;
}
