// Preloaded into each service. Measures the longest stretch in which its event loop ran no timer, in CPU time of its thread: on a
// loaded machine, the delay of timers is mostly time in which the process was not scheduled. Writes a longer stretch than before
// into a file of LOOP_TRACE_FOLDER, which the reader deletes. Needs Linux.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;
const LATE_MS = 10;
const service = /\/services\/([^/]+)\/dist\/main\.js$/.exec(process.argv[1] ?? '')?.[1];

if (isMainThread && service !== undefined && existsSync('/proc/thread-self/schedstat')) trace(service);

function trace(name) {
  const file = `${process.env.LOOP_TRACE_FOLDER}/${name}`;
  let lastMs = performance.now();
  let lastCpuMs = readCpuMs();
  let longestMs = 0;
  const tick = () => {
    const isLate = performance.now() - lastMs > TICK_MS + LATE_MS;
    const cpuMs = readCpuMs();
    if (isLate) note(cpuMs - lastCpuMs);
    lastMs = performance.now();
    lastCpuMs = cpuMs;
  };
  const note = (busyMs) => {
    if (!existsSync(file)) longestMs = 0;
    if (busyMs <= longestMs) return;
    longestMs = busyMs;
    writeFileSync(file, String(busyMs));
  };
  setInterval(tick, TICK_MS).unref();
}

function readCpuMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}
