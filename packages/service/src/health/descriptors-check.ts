import { readdir, readFile } from 'node:fs/promises';
import type { DependencyCheck } from './dependency.js';
import { Unhealthy } from './reason.js';

/** Node resets new connections in silence when none is left, so the check fails earlier. */
const USED_SHARE_MAX = 0.9;

interface Descriptors {
  open: number;
  max: number;
}

/** The file descriptors of this process, of which every connection needs one. */
export function descriptorsCheck(read: () => Promise<Descriptors | undefined> = readDescriptors): DependencyCheck {
  return {
    name: 'descriptors',
    effect: 'new connections are reset; raise the limit of open files, or add replicas',
    async check() {
      const used = await read();
      if (used && used.open > used.max * USED_SHARE_MAX)
        throw new Unhealthy(`${used.open} of ${used.max} file descriptors are used`);
      return undefined;
    },
  };
}

/** Returns undefined on systems without `/proc`. */
async function readDescriptors(): Promise<Descriptors | undefined> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
    const max = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return max === undefined ? undefined : { open: open.length, max: Number(max) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
