import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '@tollgate/errors';
import type { HtmlToTextOptions } from 'html-to-text';

/** Markup above this size is cut. */
const MARKUP_CHARS_MAX = 1024 * 1024;
/** If the main part of a page has less text than this, the whole page is read. */
const MAIN_TEXT_CHARS_MIN = 200;
/** Bounds a page that is crafted to take minutes to read. */
const READ_TIMEOUT_MS = 5_000;
const WAITING_MAX = 64;
const HEAP_MB_MAX = 256;

const skipped = ['img', 'svg', 'nav', 'aside', 'footer', 'form', 'iframe', 'noscript', 'template', 'button'];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200, maxChildNodes: 20_000, maxBaseElements: 20 },
  selectors: [
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map((selector) => ({
      selector,
      options: { uppercase: false, uppercaseHeaderCells: false },
    })),
  ],
};

const settings = {
  library: createRequire(import.meta.url).resolve('html-to-text'),
  main: { ...options, baseElements: { selectors: ['main', '[role=main]', 'article'], returnDomByDefault: false } },
  whole: { ...options, baseElements: { selectors: ['body'] } },
  mainTextCharsMin: MAIN_TEXT_CHARS_MIN,
};

/** Source of the worker thread, as text, so that it is the same whether or not this file is compiled. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { convert } = require(workerData.library);
parentPort.on('message', ({ title, html }) => {
  const main = convert(html, workerData.main).trim();
  const isMain = main.length >= workerData.mainTextCharsMin;
  const parts = [convert(title, { wordwrap: false }).trim(), isMain ? main : convert(html, workerData.whole).trim()];
  parentPort.postMessage(parts.filter((part) => part !== '').join('\\n\\n'));
});
`;

interface Job {
  /** Markup. */
  title: string;
  html: string;
  resolve(text: string): void;
  reject(error: AppError): void;
}

/**
 * Extracts the text of a page, without menus, forms and images. Pages are untrusted: they are read one at a time in a separate
 * thread, which is terminated if a page takes too long.
 */
export class PageReader {
  #worker: Worker | undefined;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting: Job[] = [];
  readonly #timeoutMs: number;

  constructor({ timeoutMs = READ_TIMEOUT_MS } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws AppError WEB_FETCH_FAILED for a page that cannot be read in time */
  async read(html: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) throw unreadable('too many pages are being read');
      this.#waiting.push({ title: findTitle(html), html: html.slice(0, MARKUP_CHARS_MAX), resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    for (const job of this.#waiting.splice(0)) job.reject(unreadable('the service is stopping'));
    this.#end(unreadable('the service is stopping'));
  }

  #next(): void {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) {
      this.#worker?.unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#timer = setTimeout(() => this.#end(unreadable('the page takes too long to read')), this.#timeoutMs);
    this.#worker.postMessage({ title: job.title, html: job.html });
  }

  #startWorker(): Worker {
    const limits = { maxOldGenerationSizeMb: HEAP_MB_MAX };
    const worker = new Worker(THREAD, { eval: true, workerData: settings, resourceLimits: limits, execArgv: [] });
    worker.on('message', (text: string) => {
      const job = this.#take();
      job?.resolve(text);
      this.#next();
    });
    worker.on('error', () => {
      if (this.#worker === worker) this.#end(unreadable('the page cannot be read'));
    });
    return worker;
  }

  /** Terminates the thread with its page. The next page gets a new thread. */
  #end(error: AppError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#take()?.reject(error);
    this.#next();
  }

  #take(): Job | undefined {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    return job;
  }
}

function findTitle(html: string): string {
  return /<title[^>]{0,200}>([^<]{1,500})<\/title>/i.exec(html.slice(0, 65_536))?.[1] ?? '';
}

function unreadable(message: string): AppError {
  return new AppError('WEB_FETCH_FAILED', message);
}
