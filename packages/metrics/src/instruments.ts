import type { Family, HistogramValue, Labels } from './family.js';
import { Series } from './series.js';

export interface InstrumentOptions<Label extends string = never> {
  /** Snake case with its unit; a counter ends in `_total`. */
  name: string;
  /** One line that explains the metric. */
  help: string;
  /** Their values must come from a closed set: a route's pattern, a model of the catalog, never an id or a path. */
  labels?: readonly Label[];
  /** Series beyond this count share one. Default 500. */
  seriesMax?: number;
}

export interface HistogramOptions<Label extends string = never> extends InstrumentOptions<Label> {
  /** Upper bounds, ascending. */
  buckets: readonly number[];
}

/** A count that only grows. */
export interface Counter<Label extends string = never> {
  add(labels: Readonly<Record<Label, string>>, amount?: number): void;
  /** Returns the series of these values; keep it if the same values are used again. */
  with(labels: Readonly<Record<Label, string>>): BoundCounter;
}

export interface BoundCounter {
  /** Adds 1 by default. Ignores what is negative or not a number. */
  add(amount?: number): void;
}

/** Counts measured values in buckets. */
export interface Histogram<Label extends string = never> {
  record(labels: Readonly<Record<Label, string>>, value: number): void;
  /** Returns the series of these values; keep it if the same values are used again. */
  with(labels: Readonly<Record<Label, string>>): BoundHistogram;
}

export interface BoundHistogram {
  /** Ignores what is negative or not a number. */
  record(value: number): void;
}

/** An instrument as the registry keeps it. */
export interface Collected {
  collect(): Family;
}

const SERIES_MAX = 500;

export class CounterInstrument implements Counter<string>, Collected {
  readonly #options: InstrumentOptions<string>;
  readonly #series: Series<CounterCell>;

  constructor(options: InstrumentOptions<string>) {
    this.#options = options;
    this.#series = new Series(options.labels ?? [], options.seriesMax ?? SERIES_MAX, () => new CounterCell());
    if (!options.labels?.length) this.#series.get({}); // a counter without labels starts at 0
  }

  add(labels: Labels, amount = 1): void {
    this.#series.get(labels).add(amount);
  }

  with(labels: Labels): BoundCounter {
    return this.#series.get(labels);
  }

  collect(): Family {
    const { name, help } = this.#options;
    return { name, help, kind: 'counter', points: this.#series.map((labels, { value }) => ({ labels, value })) };
  }
}

export class HistogramInstrument implements Histogram<string>, Collected {
  readonly #options: HistogramOptions<string>;
  readonly #series: Series<HistogramCell>;

  constructor(options: HistogramOptions<string>) {
    this.#options = options;
    const create = () => new HistogramCell(options.buckets);
    this.#series = new Series(options.labels ?? [], options.seriesMax ?? SERIES_MAX, create);
    if (!options.labels?.length) this.#series.get({});
  }

  record(labels: Labels, value: number): void {
    this.#series.get(labels).record(value);
  }

  with(labels: Labels): BoundHistogram {
    return this.#series.get(labels);
  }

  collect(): Family {
    const { name, help } = this.#options;
    const points = this.#series.map((labels, cell) => ({ labels, value: cell.value() }));
    return { name, help, kind: 'histogram', points };
  }
}

class CounterCell implements BoundCounter {
  value = 0;

  add(amount = 1): void {
    if (amount >= 0) this.value += amount;
  }
}

class HistogramCell implements BoundHistogram {
  readonly #buckets: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#counts = new Array(buckets.length + 1).fill(0);
  }

  record(value: number): void {
    if (!(value >= 0)) return;
    const buckets = this.#buckets;
    let index = 0;
    while (index < buckets.length && value > buckets[index]!) index++;
    this.#counts[index]! += 1;
    this.#sum += value;
    this.#count += 1;
  }

  value(): HistogramValue {
    return { buckets: this.#buckets, counts: [...this.#counts], sum: this.#sum, count: this.#count };
  }
}
