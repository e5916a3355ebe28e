import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUsage {
  cpuMs: number;
  rssMb: number;
}

/** Linux: clock ticks are 10 ms and pages 4 KiB on the platforms this runs on. */
const TICK_MS = 10;
const PAGE_MB = 4096 / 1024 / 1024;

/** CPU time so far of a process and its children (PostgreSQL's backends), and its own resident memory, from /proc. */
export function processUsage(pid: number): ProcessUsage {
  const own = readStat(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return {
    cpuMs: (own?.cpuMs ?? 0) + children.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0),
    rssMb: own?.rssMb ?? 0,
  };
}

/** Resident memory of a process, in MB; undefined when it has ended. */
export function residentMb(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_MB;
  } catch {
    return undefined;
  }
}

function readStat(pid: number): (ProcessUsage & { parent: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      rssMb: Number(fields[21]) * PAGE_MB,
    };
  } catch {
    return undefined;
  }
}
