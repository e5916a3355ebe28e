import { LATE, type Logger, within } from '@tollgate/runtime';
import type { Family, Labels } from './family.js';
import { Series } from './series.js';

export interface ObservedSeries {
  name: string;
  help: string;
  labels?: readonly string[];
  /** `counter` for a total that something else counts. Default `gauge`. */
  kind?: 'gauge' | 'counter';
  /** Values beyond this count are dropped but one. Default 500. */
  seriesMax?: number;
}

/** The value of a series without labels, or one value per label values; undefined leaves the series out. */
export type Reading = number | undefined | readonly { labels: Labels; value: number }[];

export interface Observation<Keys extends string> {
  /** The series that `read` returns, by key. */
  series: Readonly<Record<Keys, ObservedSeries>>;
  /** Called once per scrape, never while an earlier call has not ended. Series of a failed or late call are left out. */
  read(): Readings<Keys> | Promise<Readings<Keys>>;
  /** Default 2 s. */
  timeoutMs?: number;
}

export type Readings<Keys extends string> = Readonly<Partial<Record<Keys, Reading>>>;

const TIMEOUT_MS = 2_000;
const SERIES_MAX = 500;

/** Reads values during a scrape. */
export class Observer {
  readonly #observation: Observation<string>;
  readonly #logger: Logger;
  #isReading = false;
  #hasFailed = false;

  constructor(observation: Observation<string>, logger: Logger) {
    this.#observation = observation;
    this.#logger = logger;
  }

  get names(): string[] {
    return Object.values(this.#observation.series).map(({ name }) => name);
  }

  /** Never throws. */
  async collect(): Promise<Family[]> {
    const readings = await this.#read();
    if (!readings) return [];
    return Object.entries(this.#observation.series).map(([key, series]) => toFamily(series, readings[key]));
  }

  async #read(): Promise<Readings<string> | undefined> {
    if (this.#isReading) return undefined;
    this.#isReading = true;
    const { timeoutMs = TIMEOUT_MS } = this.#observation;
    const reading = this.#call();
    try {
      const readings = await within(reading, timeoutMs);
      if (readings === LATE) return this.#failed(new Error(`no value within ${timeoutMs} ms`));
      this.#hasFailed = false;
      return readings;
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #call(): Promise<Readings<string>> {
    try {
      return await this.#observation.read();
    } finally {
      this.#isReading = false;
    }
  }

  /** Logs the first failure of a row. */
  #failed(err: unknown): undefined {
    if (!this.#hasFailed) this.#logger.warn({ err, metrics: this.names }, 'metric not read');
    this.#hasFailed = true;
  }
}

function toFamily(options: ObservedSeries, reading: Reading): Family {
  const { name, help, kind = 'gauge', labels: names = [], seriesMax = SERIES_MAX } = options;
  const series = new Series(names, seriesMax, () => ({ value: 0 }));
  const values = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? []);
  for (const { labels, value } of values) if (!Number.isNaN(value)) series.get(labels).value = value;
  return { name, help, kind, points: series.map((labels, { value }) => ({ labels, value })) };
}
