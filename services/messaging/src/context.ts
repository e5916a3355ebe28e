import type { Clock } from '@tollgate/runtime';
import type { Parts } from '@tollgate/service';
import type pg from 'pg';
import type { Config } from './config.js';

export interface Context {
  clock: Clock;
  pool: pg.Pool;
}

/** Constructs what the operations use. */
export function createContext(parts: Parts<Config>): Context {
  return { clock: parts.clock, pool: parts.openPool() };
}
