// A process's wall clock that a file corrects, by libfaketime. Its monotonic clock stays right.
import { writeFileSync } from 'node:fs';

/** libfaketime reads the file this often. */
export const STEP_SEEN_MS = 1_000;

/** Environment of a process whose clock is right until {@link stepClock} is called with the file. */
export function useStoredClock(library: string, file: string): NodeJS.ProcessEnv {
  stepClock(file, 0);
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

export function stepClock(file: string, seconds: number): void {
  writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
}
