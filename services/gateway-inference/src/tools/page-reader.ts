import { AppError } from '@tollgate/errors';
import { FairThread, ThreadBusyError, ThreadError } from '@tollgate/runtime/threads';
import type * as jobs from '../page-jobs.js';

/** Markup above this size is cut. */
const MARKUP_CHARS_MAX = 1024 * 1024;
/** Bounds a page that is crafted to take minutes to read. */
const READ_TIMEOUT_MS = 5_000;
/** Of all accounts together. */
const WAITING_MAX = 64;
const IDLE_MS = 60_000;
const HEAP_MB_MAX = 256;

/**
 * Extracts the text of a page, without menus, forms and images. Pages are untrusted: they are read one at a time in a separate
 * thread, which is terminated if a page takes too long. Accounts take turns.
 */
export class PageReader {
  readonly #thread: FairThread<typeof jobs>;

  constructor({ timeoutMs = READ_TIMEOUT_MS } = {}) {
    const limits = { waitingMax: WAITING_MAX, timeoutMs, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX };
    this.#thread = new FairThread({ module: new URL('../page-jobs.js', import.meta.url), ...limits });
  }

  /** @throws AppError WEB_FETCH_FAILED for a page that cannot be read in time; the signal's reason */
  async read(account: string, html: string, signal: AbortSignal): Promise<string> {
    const page = { title: findTitle(html), html: html.slice(0, MARKUP_CHARS_MAX) };
    try {
      return await this.#thread.run(account, page, signal);
    } catch (cause) {
      if (!(cause instanceof ThreadError)) throw cause;
      const isBusy = cause instanceof ThreadBusyError;
      const message = isBusy ? 'too many pages are being read' : 'the page cannot be read, or takes too long';
      throw new AppError('WEB_FETCH_FAILED', message, { cause });
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

function findTitle(html: string): string {
  return /<title[^>]{0,200}>([^<]{1,500})<\/title>/i.exec(html.slice(0, 65_536))?.[1] ?? '';
}
