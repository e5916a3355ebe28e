import { type Logger, type Stoppable, silentLogger } from '@tollgate/runtime';
import { checkName, type Family, type Point } from './family.js';
import {
  type Collected,
  type Counter,
  CounterInstrument,
  type Histogram,
  HistogramInstrument,
  type HistogramOptions,
  type InstrumentOptions,
} from './instruments.js';
import type { Metrics } from './metrics.js';
import { type Observation, Observer } from './observation.js';

export interface MetricsRegistryOptions {
  /** Reports readers that fail. */
  logger?: Logger;
}

/** The metrics of a process. */
export class MetricsRegistry {
  readonly #services = new Map<string, ServiceMetrics>();
  readonly #logger: Logger;
  #collecting: Promise<Family[]> | undefined;

  constructor({ logger = silentLogger }: MetricsRegistryOptions = {}) {
    this.#logger = logger;
  }

  /** Returns the instruments of a service. */
  forService(name: string): Metrics {
    let metrics = this.#services.get(name);
    if (!metrics) {
      metrics = new ServiceMetrics(this.#logger);
      this.#services.set(name, metrics);
    }
    return metrics;
  }

  /** Removes the series of a service that has stopped. */
  remove(name: string): void {
    this.#services.delete(name);
  }

  /** Reads all metrics; concurrent calls share one read. Never throws. */
  collect(): Promise<Family[]> {
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  /** Returns the page for Prometheus. */
  async scrape(): Promise<string> {
    // Loaded by the first scrape, because a process that is not scraped does not need it.
    const [families, { toPrometheusText }] = await Promise.all([this.collect(), import('./prometheus.js')]);
    return toPrometheusText(families);
  }

  async #collect(): Promise<Family[]> {
    const services = [...this.#services];
    const families = await Promise.all(services.map(async ([name, metrics]) => label(name, await metrics.collect())));
    return merge(families.flat());
  }
}

class ServiceMetrics implements Metrics {
  readonly #instruments = new Map<string, { instrument: Collected; definition: string }>();
  readonly #observers = new Set<Observer>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  counter<const Label extends string = never>(options: InstrumentOptions<Label>): Counter<Label> {
    checkName(options.name, 'counter', options.labels ?? []);
    return this.#once(options, () => new CounterInstrument(options));
  }

  histogram<const Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label> {
    checkName(options.name, 'histogram', options.labels ?? []);
    return this.#once(options, () => new HistogramInstrument(options));
  }

  observe<Keys extends string>(observation: Observation<Keys>): Stoppable {
    for (const { name, kind = 'gauge', labels = [] } of Object.values<Observation<Keys>['series'][Keys]>(
      observation.series,
    )) {
      checkName(name, kind, labels);
    }
    const observer = new Observer(observation, this.#logger);
    this.#observers.add(observer);
    return { stop: async () => void this.#observers.delete(observer) };
  }

  async collect(): Promise<Family[]> {
    const observed = await Promise.all([...this.#observers].map((observer) => observer.collect()));
    return [...[...this.#instruments.values()].map(({ instrument }) => instrument.collect()), ...observed.flat()];
  }

  /** @throws Error when the name is taken by another instrument */
  #once<Instrument extends Collected>(options: InstrumentOptions<string>, create: () => Instrument): Instrument {
    const definition = JSON.stringify(options);
    const known = this.#instruments.get(options.name);
    if (known && known.definition !== definition) throw new Error(`metric ${options.name} has two definitions`);
    const instrument = (known?.instrument as Instrument | undefined) ?? create();
    this.#instruments.set(options.name, { instrument, definition });
    return instrument;
  }
}

function label(service: string, families: readonly Family[]): Family[] {
  return families.map((family) => ({
    ...family,
    points: family.points.map((point) => ({ ...point, labels: { service, ...point.labels } })),
  }));
}

/** Combines the families of one name, as the text format requires. If labels are equal, the last series wins. */
function merge(families: readonly Family[]): Family[] {
  const merged = new Map<string, { family: Family; points: Map<string, Point> }>();
  for (const family of families) {
    const into = merged.get(family.name) ?? { family, points: new Map<string, Point>() };
    merged.set(family.name, into);
    // A service of another version may use the name for another kind of metric; a page with both kinds would not parse.
    if (into.family.kind !== family.kind) continue;
    for (const point of family.points) into.points.set(JSON.stringify(Object.entries(point.labels).sort()), point);
  }
  return [...merged.values()]
    .map(({ family, points }) => ({ ...family, points: [...points.values()] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
