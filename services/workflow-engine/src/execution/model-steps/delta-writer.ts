import type { Logger } from '@tollgate/runtime';
import { type EventDraft, resetDelta, textDelta } from '../../domain/run/run-event.js';

export interface DeltaWriterOptions {
  nodeId: string;
  /** Commits events. Returns false when the lease of the node is lost. */
  append: (events: readonly EventDraft[]) => Promise<boolean>;
  logger: Logger;
}

export const FLUSH_MS = 30;
const FLUSH_CHARS = 4096;

/**
 * Joins the pieces of a model's text into a few events. Only text is delayed; state is committed at once. Text that is
 * not written when the node ends goes into the commit that ends the node.
 */
export class DeltaWriter {
  readonly #options: DeltaWriterOptions;
  #text = '';
  #writtenChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isUncertain = false;
  #isLost = false;
  /** The caller of `finish` commits the rest. */
  #isFinished = false;

  constructor(options: DeltaWriterOptions) {
    this.#options = options;
  }

  /** The node was taken over, or its run has ended. */
  get isLost(): boolean {
    return this.#isLost;
  }

  push(text: string): void {
    if (text === '') return;
    this.#text += text;
    if (this.#isUncertain) return;
    if (this.#text.length - this.#writtenChars >= FLUSH_CHARS) this.#flush();
    else this.#flushSoon();
  }

  /** Stops writing and returns the events that the caller has to commit. */
  async finish(): Promise<EventDraft[]> {
    this.#isFinished = true;
    clearTimeout(this.#timer);
    await this.#writing;
    const { nodeId } = this.#options;
    // After a failed write it is unknown what readers have seen, so they start over with the whole text.
    if (this.#isUncertain) return [resetDelta(nodeId), textDelta(nodeId, this.#text)];
    const rest = this.#text.slice(this.#writtenChars);
    return rest === '' ? [] : [textDelta(nodeId, rest)];
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#isUncertain || this.#isLost) return;
    const end = this.#text.length;
    const piece = this.#text.slice(this.#writtenChars, end);
    if (piece === '') return;
    this.#writing = this.#write(piece, end).finally(() => {
      this.#writing = undefined;
      if (this.#text.length > end) this.#flushSoon();
    });
  }

  #flushSoon(): void {
    if (!this.#isFinished) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  async #write(piece: string, end: number): Promise<void> {
    const { append, nodeId, logger } = this.#options;
    try {
      if (await append([textDelta(nodeId, piece)])) this.#writtenChars = end;
      else this.#isLost = true;
    } catch (error) {
      this.#isUncertain = true;
      logger.warn({ err: error, node_id: nodeId }, 'delta may not have been written');
    }
  }
}
