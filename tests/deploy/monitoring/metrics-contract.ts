// The metrics that Tollgate emits (deploy/prometheus/metrics.json), as series that Prometheus stores.
import { readdirSync, readFileSync } from 'node:fs';
import { errorCatalog } from '@tollgate/errors';
import { root, services } from '../chart.js';

export interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** The possible values of each label; null when the code does not list them. Every series has the label `service` as well. */
  labels: Record<string, string[] | null>;
  /** The services that emit it; all if missing. */
  services?: string[];
}

export const contract: Record<string, Metric> = JSON.parse(
  readFileSync(`${root}deploy/prometheus/metrics.json`, 'utf8'),
);

/** The values of the labels whose possible values are the public error codes and a few others. */
const CODES = [...Object.keys(errorCatalog), 'OK', 'CANCELED', 'admitted'];
const WITH_CODES = { code: CODES, verdict: CODES };

/** Series that appear with their first event, which a healthy system may not have soon. */
export const RARE = ['tollgate_dead_letters_total', 'tollgate_payments_total'];

/** Returns the names of the metrics that the code of packages and services defines. */
export function metricsInCode(): string[] {
  const names = ['packages', 'services'].flatMap((folder) =>
    readdirSync(`${root}${folder}`).flatMap((part) => namesIn(`${root}${folder}/${part}/src`)),
  );
  return [...new Set(names)];
}

function namesIn(folder: string): string[] {
  return readSources(folder).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const own = [...text.matchAll(/\bname(?::| =) '((?:tollgate|process|nodejs)_\w+)'/g)].map(([, name = '']) => name);
    // Constants of OpenTelemetry's conventions: Prometheus shows the dots of their values as underscores.
    const shared = [...text.matchAll(/\bname: METRIC_(\w+)/g)].map(([, name = '']) => name.toLowerCase());
    return [...own, ...shared];
  });
}

function readSources(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|generated)\//.test(file))
      .map((file) => `${folder}/${file}`);
  } catch {
    return []; // not every package has sources of its own
  }
}

/** Labels that Prometheus adds to every series it scrapes. */
export const TARGET_LABELS = ['instance', 'job', 'namespace', 'pod'];

/** Returns the labels of a series and their possible values; undefined when nothing emits the series. */
export function labelsOfSeries(series: string): Metric['labels'] | undefined {
  const plain = contract[series];
  if (plain) return plain.type === 'histogram' ? undefined : possibleValues(plain);
  const [, name = '', part] = /^(.*)_(bucket|count|sum)$/.exec(series) ?? [];
  const histogram = contract[name];
  if (histogram?.type !== 'histogram') return undefined;
  return { ...possibleValues(histogram), ...(part === 'bucket' && { le: null }) };
}

function possibleValues({ labels }: Metric): Metric['labels'] {
  const coded = Object.entries(WITH_CODES).filter(([label]) => label in labels);
  return { service: services, ...labels, ...Object.fromEntries(coded) };
}
