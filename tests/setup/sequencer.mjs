// Orders the test files by their durations in the last run of this machine, which Jest keeps: slow ones first, so that no
// worker ends with a suite of a minute. In a fresh clone the kind of a file, then its size, stands for its duration.
import TestSequencer from '@jest/test-sequencer';

export default class Sequencer extends TestSequencer {
  sort(tests) {
    return super
      .sort([...tests])
      .map((test) => ({ test, ms: test.duration ?? guessMs(test.path) }))
      .sort((a, b) => b.ms - a.ms)
      .map(({ test }) => test);
  }
}

function guessMs(path) {
  if (/\/tests\/(chaos|clients|upgrade)\//.test(path)) return 30_000;
  if (/\/tests\/(?!architecture)/.test(path)) return 10_000;
  return /\.(db|slow)\.test\.ts$/.test(path) ? 3_000 : 500;
}
