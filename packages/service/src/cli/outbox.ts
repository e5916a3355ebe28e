import { endRelayLease, readOutboxState, requeuePublished } from '@tollgate/events';
import { systemClock } from '@tollgate/runtime';
import type { ServiceConfig } from '../define-config.js';
import type { Command, CommandCall, Commands } from './command.js';
import { UsageError } from './command.js';

const ROWS_PER_BATCH = 1_000;

/** The commands of a service that publishes events. */
export function outboxCommands<Config extends ServiceConfig>(): Commands<Config> {
  return { 'show-outbox': showOutbox(), 'requeue-outbox': requeueOutbox() };
}

function showOutbox<Config extends ServiceConfig>(): Command<Config> {
  return {
    summary: 'shows what waits to be published, and who publishes',
    async run({ openPool }, { print }) {
      const state = await readOutboxState(openPool({ max: 1 }));
      const { unpublished, oldestSeconds, published, lease, first } = state;
      const lines = [
        `${unpublished} events wait, the oldest for ${Math.round(oldestSeconds)} s; ${published} published events are kept`,
        lease ? `published by ${lease.holder}` : 'no relay holds the lease',
        ...first.map(({ id, topic, type, key, bytes }) => `  ${id}  ${topic}  ${type}  ${key}  ${bytes} bytes`),
      ];
      await print(state, lines.join('\n'));
    },
  };
}

function requeueOutbox<Config extends ServiceConfig>(): Command<Config> {
  return {
    summary: 'takes the outbox from a relay that hangs; with --since, publishes again what was published since then',
    options: { since: { value: 'TIME', summary: 'for example 2026-01-31T12:00:00Z; consumers ignore repeats' } },
    async run({ openPool }, call) {
      const since = readTime(call, 'since');
      const pool = openPool({ max: 1 });
      // Events that the relay publishes from now on stay published.
      const until = systemClock.now();
      let requeued = 0;
      for (let last = since ? ROWS_PER_BATCH : 0; since && last === ROWS_PER_BATCH; requeued += last) {
        call.signal.throwIfAborted();
        last = await requeuePublished(pool, { since, until }, ROWS_PER_BATCH);
        if (requeued > 0) call.progress(`${requeued} events queued again so far`);
      }
      const leaseEnded = await endRelayLease(pool);
      const lease = leaseEnded ? 'the lease was ended: another relay takes over' : 'no relay held the lease';
      await call.print({ requeued, leaseEnded }, `${requeued} events queued again; ${lease}`);
    },
  };
}

/** @throws UsageError when the option is not a time */
function readTime(call: CommandCall, option: string): Date | undefined {
  const text = call.text(option);
  if (text === undefined) return undefined;
  const time = new Date(text);
  const isTime = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(time.getTime());
  if (!isTime) throw new UsageError(`--${option}: expected a time with its zone, such as 2026-01-31T12:00:00Z`);
  return time;
}
