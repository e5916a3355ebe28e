import { textPart } from './response-resource.js';

type Json = Record<string, unknown>;

/** The items of a response whose events the provider wrote, as far as they have come. */
export class ForwardedItems {
  readonly #done: Json[] = [];
  #open: Json | undefined;
  #text = '';

  /** Notes an event that was passed on; `text` is what it adds to the output. */
  note(event: string | undefined, data: string, text: string): void {
    if (event === 'response.output_item.added') {
      this.#open = itemOf(data);
      this.#text = '';
    } else if (event === 'response.output_item.done') {
      this.#done.push(itemOf(data));
      this.#open = undefined;
    } else {
      this.#text += text;
    }
  }

  /** Returns the whole items, and the open one as it was cut. Reasoning that was cut is left out: it cannot be sent back. */
  items(): Json[] {
    const status = 'incomplete';
    switch (this.#open?.type) {
      case 'message':
        return [...this.#done, { ...this.#open, status, content: [textPart(this.#text)] }];
      case 'function_call':
        return [...this.#done, { ...this.#open, status, arguments: this.#text }];
      default:
        return this.#done;
    }
  }
}

function itemOf(data: string): Json {
  return (JSON.parse(data) as { item: Json }).item;
}
