import { createRequire } from 'node:module';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '@tollgate/metrics';
import type { Stoppable } from '@tollgate/runtime';

/** Time between two samples of the event loop. */
const SAMPLE_MS = 20;

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Adds the series that a process has once: build, CPU, memory and the delay of the event loop. */
export function observeProcess(metrics: Metrics): Stoppable {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const observed = metrics.observe({
    series: {
      build: { name: 'tollgate_build_info', help: 'The version that runs.', labels: ['version'] },
      cpu: { name: 'process_cpu_seconds_total', help: 'CPU time, user and system.', kind: 'counter' },
      resident: { name: 'process_resident_memory_bytes', help: 'Memory in RAM.' },
      heap: { name: 'nodejs_heap_used_bytes', help: 'JavaScript heap in use.' },
      delay: {
        name: 'tollgate_event_loop_delay_seconds',
        help: 'How late timers ran since the last scrape.',
        labels: ['quantile'],
      },
    },
    read() {
      const cpu = process.cpuUsage();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        build: [{ labels: { version }, value: 1 }],
        cpu: (cpu.user + cpu.system) / 1e6,
        resident: rss,
        heap: heapUsed,
        delay: takeDelay(delay),
      };
    },
  });
  return {
    async stop() {
      delay.disable();
      await observed.stop();
    },
  };
}

/** Returns the delays since the last call. A sample is the time between two timers, so their interval is taken off. */
function takeDelay(delay: IntervalHistogram): { labels: { quantile: string }; value: number }[] {
  if (delay.count === 0) return [];
  const late = (ns: number) => Math.max(0, ns / 1e9 - SAMPLE_MS / 1e3);
  const quantiles = { '0.5': delay.percentile(50), '0.99': delay.percentile(99), max: delay.max };
  delay.reset();
  return Object.entries(quantiles).map(([quantile, ns]) => ({ labels: { quantile }, value: late(ns) }));
}
