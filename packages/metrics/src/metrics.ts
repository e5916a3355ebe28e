import type { Stoppable } from '@tollgate/runtime';
import type { Counter, Histogram, HistogramOptions, InstrumentOptions } from './instruments.js';
import type { Observation } from './observation.js';

/** The instruments of one service. Every series gets the label `service`. */
export interface Metrics {
  /** Returns the counter of that name; a repeated call with the same options returns the same one. */
  counter<const Label extends string = never>(options: InstrumentOptions<Label>): Counter<Label>;
  /** Returns the histogram of that name; a repeated call with the same options returns the same one. */
  histogram<const Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label>;
  /** Reads values when the metrics are scraped, until the returned part stops. */
  observe<Keys extends string>(observation: Observation<Keys>): Stoppable;
}
