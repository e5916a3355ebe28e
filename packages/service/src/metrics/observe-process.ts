import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '@tollgate/metrics';
import type { Stoppable } from '@tollgate/runtime';
import { VERSION } from './version.js';

/** Time between two samples of the event loop. */
const SAMPLE_MS = 20;

/** Adds the series that a process has once: build, CPU, memory and the delay of the event loop. */
export function observeProcess(metrics: Metrics): Stoppable {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const readDelays = delayReader(delay);
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
        build: [{ labels: { version: VERSION }, value: 1 }],
        cpu: (cpu.user + cpu.system) / 1e6,
        resident: rss,
        heap: heapUsed,
        delay: readDelays(),
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

/**
 * Returns a function that reads the delays since its last call, or repeats them when there was no sample since then: two
 * scrapes may come within one interval. A sample is the time between two timers, so their interval is taken off.
 */
function delayReader(histogram: IntervalHistogram): () => { labels: { quantile: string }; value: number }[] {
  const late = (ns: number) => Math.max(0, ns / 1e9 - SAMPLE_MS / 1e3);
  let delays = { '0.5': 0, '0.99': 0, max: 0 };
  return () => {
    if (histogram.count > 0) {
      const { max } = histogram;
      delays = { '0.5': late(histogram.percentile(50)), '0.99': late(histogram.percentile(99)), max: late(max) };
      histogram.reset();
    }
    return Object.entries(delays).map(([quantile, value]) => ({ labels: { quantile }, value }));
  };
}
