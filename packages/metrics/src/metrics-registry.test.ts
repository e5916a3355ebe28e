import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime';
import { type MetricFamily, parseMetrics, waitUntil } from '@tollgate/testkit';
import { LATENCY_BUCKETS, MetricsRegistry } from './index.js';

async function families(registry: MetricsRegistry): Promise<Record<string, MetricFamily>> {
  return parseMetrics(await registry.scrape());
}

/** The values of a series by label values, without the service. */
function toValuesByLabel(family: MetricFamily | undefined): Record<string, number> {
  const entries = family?.samples.map(({ labels: { service: _, ...labels }, value }) => [
    Object.values(labels).join(),
    value,
  ]);
  return Object.fromEntries(entries ?? []);
}

describe('counters', () => {
  it('adds up per label values, with the service as a label', async () => {
    const name = 'tollgate_admissions_total';
    const registry = new MetricsRegistry();
    const counter = registry.forService('billing-ledger').counter({
      name,
      help: 'Admissions by verdict.',
      labels: ['verdict'],
    });
    counter.add({ verdict: 'admitted' });
    counter.add({ verdict: 'admitted' }, 2);
    counter.with({ verdict: 'a "quoted" \\ word\n' }).add();
    counter.add({ verdict: 'admitted' }, -1);
    counter.add({ verdict: 'admitted' }, Number.NaN);
    expect((await families(registry)).tollgate_admissions_total).toEqual({
      help: 'Admissions by verdict.',
      type: 'counter',
      samples: [
        { name, labels: { service: 'billing-ledger', verdict: 'admitted' }, value: 3 },
        { name, labels: { service: 'billing-ledger', verdict: 'a "quoted" \\ word\n' }, value: 1 },
      ],
    });
  });

  it('starts at 0 without labels', async () => {
    const registry = new MetricsRegistry();
    registry.forService('edge-gateway').counter({ name: 'tollgate_x_total', help: 'x' });
    expect((await families(registry)).tollgate_x_total).toMatchObject({
      samples: [{ labels: { service: 'edge-gateway' }, value: 0 }],
    });
  });

  it('collects label values beyond the limit in one overflow series', async () => {
    const registry = new MetricsRegistry();
    const counter = registry
      .forService('edge-gateway')
      .counter({ name: 'tollgate_x_total', help: 'x', labels: ['route'], seriesMax: 3 });
    for (let scrapes = 0; scrapes < 3; scrapes++) {
      for (let i = 0; i < 1_000; i++) counter.add({ route: `/${scrapes}/${i}` });
      await registry.scrape();
    }
    const { samples = [] } = (await families(registry)).tollgate_x_total ?? {};
    expect(samples.map(({ value }) => value)).toEqual([1, 1, 1, 2997]);
    expect(samples.at(-1)?.labels).toEqual({ service: 'edge-gateway', otel_metric_overflow: 'true' });
  });

  it('rejects names and labels that a page could not show, and a second definition', () => {
    const metrics = new MetricsRegistry().forService('edge-gateway');
    const counter = (name: string, labels: string[] = [], help = 'x') => metrics.counter({ name, help, labels });
    expect(() => counter('tollgate_x')).toThrow('only counters end in _total');
    expect(() => counter('tollgate-x_total')).toThrow('expected snake case');
    expect(() => counter('tollgate_x_total', ['service'])).toThrow('invalid label service');
    counter('tollgate_x_total');
    expect(() => counter('tollgate_x_total', [], 'other')).toThrow('two definitions');
    expect(counter('tollgate_x_total')).toBe(counter('tollgate_x_total'));
  });
});

describe('histograms', () => {
  it('counts values in cumulative buckets', async () => {
    const registry = new MetricsRegistry();
    const histogram = registry
      .forService('edge-gateway')
      .histogram({ name: 'tollgate_x_seconds', help: 'x', labels: ['route'], buckets: [0.1, 1] });
    for (const seconds of [0.1, 0.5, 1, 7, Number.NaN, -1]) histogram.with({ route: '/a' }).record(seconds);
    const text = await registry.scrape();
    const series = '{service="edge-gateway",route="/a"';
    expect(text.split('\n').filter((line) => line.startsWith('tollgate'))).toEqual([
      `tollgate_x_seconds_count${series}} 4`,
      `tollgate_x_seconds_sum${series}} 8.6`,
      `tollgate_x_seconds_bucket${series},le="0.1"} 1`,
      `tollgate_x_seconds_bucket${series},le="1"} 3`,
      `tollgate_x_seconds_bucket${series},le="+Inf"} 4`,
    ]);
  });

  it('has ascending bounds by default', () => {
    expect([...LATENCY_BUCKETS].sort((a, b) => a - b)).toEqual(LATENCY_BUCKETS);
  });
});

describe('observed series', () => {
  it('reads several series at once, and leaves out what is undefined', async () => {
    const registry = new MetricsRegistry();
    registry.forService('messaging').observe({
      series: {
        rows: { name: 'tollgate_outbox_rows', help: 'rows' },
        depth: { name: 'tollgate_queue_depth', help: 'depth', labels: ['queue'] },
        age: { name: 'tollgate_outbox_oldest_age_seconds', help: 'age' },
      },
      read: async () => ({ rows: 0, depth: [{ labels: { queue: 'runs' }, value: 2 }], age: undefined }),
    });
    const found = await families(registry);
    expect(Object.keys(found)).toEqual(['tollgate_outbox_rows', 'tollgate_queue_depth']);
    expect(toValuesByLabel(found.tollgate_queue_depth)).toEqual({ runs: 2 });
  });

  it('leaves out the series of a reader that fails, and logs the first failure of a row', async () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const registry = new MetricsRegistry({ logger });
    let isDown = false;
    const read = async () => {
      if (isDown) throw new Error('database unavailable');
      return { rows: 1 };
    };
    registry.forService('messaging').observe({ series: { rows: { name: 'tollgate_rows', help: 'r' } }, read });
    registry.forService('messaging').counter({ name: 'tollgate_x_total', help: 'x' });
    expect(Object.keys(await families(registry))).toEqual(['tollgate_rows', 'tollgate_x_total']);
    isDown = true;
    expect(Object.keys(await families(registry))).toEqual(['tollgate_x_total']);
    expect(Object.keys(await families(registry))).toEqual(['tollgate_x_total']);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'metric not read', metrics: ['tollgate_rows'] },
    ]);
    isDown = false;
    expect(Object.keys(await families(registry))).toContain('tollgate_rows');
  });

  it('answers without a reader that hangs, and calls it again only after it has ended', async () => {
    const registry = new MetricsRegistry();
    let calls = 0;
    let end: (value: { rows: number }) => void = () => undefined;
    registry.forService('messaging').observe({
      series: { rows: { name: 'tollgate_rows', help: 'r' } },
      timeoutMs: 5,
      read() {
        calls++;
        return new Promise<{ rows: number }>((resolve) => {
          end = resolve;
        });
      },
    });
    registry.forService('messaging').counter({ name: 'tollgate_x_total', help: 'x' });
    expect(Object.keys(await families(registry))).toEqual(['tollgate_x_total']);
    expect(Object.keys(await families(registry))).toEqual(['tollgate_x_total']);
    expect(calls).toBe(1);
    end({ rows: 1 });
    const isCalledAgain = async () => Boolean(await registry.scrape()) && calls === 2;
    await waitUntil(isCalledAgain, { what: 'a second read' });
    end({ rows: 1 });
  });

  it('shares one read among scrapes at the same time', async () => {
    const registry = new MetricsRegistry();
    let calls = 0;
    const read = async () => ({ rows: ++calls });
    registry.forService('messaging').observe({ series: { rows: { name: 'tollgate_rows', help: 'r' } }, read });
    const pages = await Promise.all([registry.scrape(), registry.scrape(), registry.scrape()]);
    expect(calls).toBe(1);
    expect(new Set(pages).size).toBe(1);
  });

  it('bounds the label values of a reader', async () => {
    const registry = new MetricsRegistry();
    const values = Array.from({ length: 100 }, (_, i) => ({ labels: { queue: `q${i}` }, value: i }));
    const depth = { name: 'tollgate_queue_depth', help: 'depth', labels: ['queue'], seriesMax: 10 };
    const observed = registry.forService('messaging').observe({ series: { depth }, read: () => ({ depth: values }) });
    expect((await families(registry)).tollgate_queue_depth?.samples).toHaveLength(11);
    await observed.stop();
    expect(await registry.scrape()).toBe('');
  });
});

it('shows all services of a process on one page, each name once', async () => {
  const registry = new MetricsRegistry();
  for (const service of ['messaging', 'edge-gateway']) {
    const metrics = registry.forService(service);
    metrics.counter({ name: 'tollgate_x_total', help: 'x' }).add({}, 2);
    metrics.observe({ series: { ready: { name: 'tollgate_ready', help: 'ready' } }, read: () => ({ ready: 1 }) });
  }
  const text = await registry.scrape();
  expect(text.match(/^# TYPE .*/gm)).toEqual(['# TYPE tollgate_ready gauge', '# TYPE tollgate_x_total counter']);
  expect((await families(registry)).tollgate_x_total?.samples).toHaveLength(2);
  registry.remove('messaging');
  expect((await families(registry)).tollgate_x_total?.samples).toHaveLength(1);
});
