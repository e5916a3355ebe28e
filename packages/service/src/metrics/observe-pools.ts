import type { Metrics } from '@tollgate/metrics';
import type pg from 'pg';

/** The pools of a service by the value of the label `pool`. */
export type Pools = ReadonlyMap<string, pg.Pool>;

/** Adds the series of connection pools. */
export function observePools(metrics: Metrics, pools: Pools): void {
  metrics.observe({
    series: {
      connections: {
        name: 'tollgate_db_pool_connections',
        help: 'Database connections, by what they do.',
        labels: ['pool', 'state'],
      },
      waiting: { name: 'tollgate_db_pool_waiting', help: 'Requests that wait for a connection.', labels: ['pool'] },
      max: { name: 'tollgate_db_pool_connections_max', help: 'Greatest number of connections.', labels: ['pool'] },
    },
    read() {
      const all = [...pools];
      return {
        connections: all.flatMap(([pool, { idleCount, totalCount }]) => [
          { labels: { pool, state: 'idle' }, value: idleCount },
          { labels: { pool, state: 'used' }, value: totalCount - idleCount },
        ]),
        waiting: all.map(([pool, { waitingCount }]) => ({ labels: { pool }, value: waitingCount })),
        max: all.map(([pool, { options }]) => ({ labels: { pool }, value: options.max })),
      };
    },
  });
}
