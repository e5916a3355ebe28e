// How long the disk takes to keep a write: the part of a durable request's latency that no software can remove.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../http-load.js';
import { ms } from '../table.js';

const WRITES = 500;
/** The log of PostgreSQL is written in pages of this size. */
const PAGE = Buffer.alloc(8192, 1);

/** Measures writes to the folder in which the benchmarks' databases are. */
export function diskLine(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const file = openSync(join(folder, 'pages'), 'w');
  try {
    for (let page = 0; page < WRITES; page++) writeSync(file, PAGE);
    fdatasyncSync(file);
    const times = Array.from({ length: WRITES }, (_, page) => {
      const start = performance.now();
      writeSync(file, PAGE, 0, PAGE.length, page * PAGE.length);
      fdatasyncSync(file);
      return performance.now() - start;
    });
    const [p50, p99] = [0.5, 0.99].map((share) => ms(percentile(times, share)));
    return `A request awaits two commits, each at least one fdatasync: here p50 ${p50}, p99 ${p99}.\n`;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
