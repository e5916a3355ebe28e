import type { ServiceConfig } from '../define-config.js';
import type { Command } from './command.js';

/** Applies the migrations of the service's schema, which every command does first. */
export function migrateCommand<Config extends ServiceConfig>(): Command<Config> {
  return {
    summary: 'applies the migrations of the database',
    timeoutMs: 60 * 60_000,
    async run(_parts, { migrated, print }) {
      const applied = migrated.length > 0 ? `; applied ${migrated.join(', ')}` : '';
      await print({ applied: migrated }, `the database is up to date${applied}`);
    },
  };
}
