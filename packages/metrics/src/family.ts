export type Kind = 'counter' | 'gauge' | 'histogram';

export type Labels = Readonly<Record<string, string>>;

/** All series of one name, as a scrape sees them. */
export interface Family {
  name: string;
  help: string;
  kind: Kind;
  points: readonly Point[];
}

export interface Point {
  labels: Labels;
  value: number | HistogramValue;
}

export interface HistogramValue {
  /** Upper bounds, ascending. */
  buckets: readonly number[];
  /** Per bucket, not cumulative; one more than the bounds, for values above the last. */
  counts: readonly number[];
  sum: number;
  count: number;
}

/** Snake case. Names of OpenTelemetry's semantic conventions have dots, which Prometheus shows as underscores. */
const NAME = /^[a-z][a-z0-9]*([_.][a-z0-9]+)*$/;

/** @throws Error for a name or a label that Prometheus or OpenTelemetry rejects */
export function checkName(name: string, kind: Kind, labels: readonly string[]): void {
  if (!NAME.test(name)) throw new Error(`metric ${name}: expected snake case`);
  if (name.endsWith('_total') !== (kind === 'counter')) throw new Error(`metric ${name}: only counters end in _total`);
  for (const label of labels) {
    const isValid = NAME.test(label) && label !== 'service' && label !== 'le';
    if (!isValid) throw new Error(`metric ${name}: invalid label ${label}`);
  }
}
