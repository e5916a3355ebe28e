import { type MetricFamily, parseMetrics } from './parse-metrics.js';
import { waitUntil } from './wait-until.js';

/** Scrapes until the page has samples of all these metrics: a scrape leaves out values that take longer than its time limit. */
export async function scrapeMetrics(
  registry: { scrape(): Promise<string> },
  ...names: readonly string[]
): Promise<Record<string, MetricFamily>> {
  const scrape = async () => {
    const page = parseMetrics(await registry.scrape());
    return names.every((name) => (page[name]?.samples.length ?? 0) > 0) && page;
  };
  return waitUntil(scrape, { what: names.join(', ') });
}
