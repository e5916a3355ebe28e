// TEST_RESOURCES=1: names the test files that leave sockets, timers or processes open. A worker with any of them does not exit,
// and Jest ends it after half a second: "A worker process has failed to exit gracefully".
import { setTimeout as sleep } from 'node:timers/promises';

const CLOSING_MS = 1_000;
const STEP_MS = 50;

/** Counts what keeps this process alive, by kind. */
export function countResources() {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Prints what a test file has opened and not closed, after a pause in which closing ends. */
export async function reportLeftResources(testPath, before) {
  let left = findMore(before);
  for (let waitedMs = 0; left.length > 0 && waitedMs < CLOSING_MS; waitedMs += STEP_MS) {
    await sleep(STEP_MS);
    left = findMore(before);
  }
  if (left.length > 0) process.stderr.write(`${testPath} leaves open: ${left.join(', ')}\n`);
}

function findMore(before) {
  return Object.entries(countResources())
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${count - (before[kind] ?? 0)} × ${kind}`);
}
