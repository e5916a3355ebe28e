// biome-ignore lint/suspicious/noExplicitAny: items have many forms
type Event = any;

/** A response that the fake generated, with the usage that the vendor would bill. */
export interface RealtimeResponseEntry {
  id: string;
  model: string;
  status: 'in_progress' | 'completed' | 'cancelled' | 'incomplete' | 'failed';
  /** The bound that it was asked for. */
  maxOutputTokens: unknown;
  /** False: the fake generated it by itself, because its turn detection was allowed to. */
  wasAsked: boolean;
  inputTokens: number;
  outputTokens: number;
  inputAudioTokens: number;
  outputAudioTokens: number;
  cachedAudioTokens: number;
}

export interface Tokens {
  text: number;
  audio: number;
  image: number;
}

/** The events of one response and what it has used. */
export class ResponseParts {
  readonly #entry: RealtimeResponseEntry;
  readonly #speaks: boolean;
  readonly #input: Tokens;
  readonly #cached: Tokens;
  readonly #output: Event[] = [];

  constructor(entry: RealtimeResponseEntry, speaks: boolean, input: Tokens, cached: Tokens) {
    this.#entry = entry;
    this.#speaks = speaks;
    this.#input = input;
    this.#cached = cached;
  }

  get isFull(): boolean {
    const { maxOutputTokens, outputTokens } = this.#entry;
    return typeof maxOutputTokens === 'number' && outputTokens >= maxOutputTokens;
  }

  *answerEvents(pieces: readonly string[]): Generator<object> {
    const { id } = this.#entry;
    const item: Event = { id: `item_of_${id}`, type: 'message', role: 'assistant', content: [] };
    const at = { response_id: id, item_id: item.id, output_index: 0, content_index: 0 };
    this.#output.push(item);
    yield { type: 'response.output_item.added', response_id: id, output_index: 0, item };
    let said = '';
    for (const piece of pieces) {
      if (this.isFull) break;
      said += piece;
      this.#entry.outputTokens++;
      if (this.#speaks) {
        yield { type: 'response.output_audio_transcript.delta', ...at, delta: piece };
        if (this.isFull) break;
        this.#entry.outputTokens++;
        this.#entry.outputAudioTokens++;
        yield { type: 'response.output_audio.delta', ...at, delta: Buffer.alloc(2_400, 1).toString('base64') };
      } else {
        yield { type: 'response.output_text.delta', ...at, delta: piece };
      }
    }
    const content = this.#speaks ? { type: 'output_audio', transcript: said } : { type: 'output_text', text: said };
    item.content.push(content);
    if (this.#speaks) yield { type: 'response.output_audio.done', ...at };
    else yield { type: 'response.output_text.done', ...at, text: said };
    yield { type: 'response.output_item.done', response_id: id, output_index: 0, item };
  }

  *toolEvents(name: string, pieces: readonly string[]): Generator<object> {
    const { id } = this.#entry;
    const item: Event = { id: `item_of_${id}`, type: 'function_call', name, call_id: `call_of_${id}`, arguments: '' };
    const at = { response_id: id, item_id: item.id, output_index: 0, call_id: item.call_id };
    this.#output.push(item);
    yield { type: 'response.output_item.added', response_id: id, output_index: 0, item };
    for (const piece of pieces) {
      item.arguments += piece;
      this.#entry.outputTokens++;
      yield { type: 'response.function_call_arguments.delta', ...at, delta: piece };
    }
    yield { type: 'response.function_call_arguments.done', ...at, name, arguments: item.arguments };
    yield { type: 'response.output_item.done', response_id: id, output_index: 0, item };
  }

  response(omitsUsage: boolean): object {
    const { id, status, outputTokens, outputAudioTokens, maxOutputTokens } = this.#entry;
    const base = { object: 'realtime.response', id, status, output: this.#output, max_output_tokens: maxOutputTokens };
    if (omitsUsage) return base;
    const { text, audio, image } = this.#input;
    const cached = this.#cached;
    const usage = {
      total_tokens: text + audio + image + outputTokens,
      input_tokens: text + audio + image,
      output_tokens: outputTokens,
      input_token_details: {
        text_tokens: text,
        audio_tokens: audio,
        image_tokens: image,
        cached_tokens: cached.text + cached.audio + cached.image,
        cached_tokens_details: { text_tokens: cached.text, audio_tokens: cached.audio, image_tokens: cached.image },
      },
      output_token_details: { text_tokens: outputTokens - outputAudioTokens, audio_tokens: outputAudioTokens },
    };
    return { ...base, usage };
  }
}
