import type pg from 'pg';

/** The handle that operations and workers pass on to the store, which alone runs statements on it. */
export type Pool = pg.Pool;
