import type pg from 'pg';

/** Handles that operations and workers pass on to the store, which alone runs statements on them. */
export type Pool = pg.Pool;
/** The dedicated connection of a ledger writer. */
export type Connection = pg.Client;
