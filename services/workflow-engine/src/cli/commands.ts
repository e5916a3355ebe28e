import { removePublished } from '@tollgate/events';
import {
  type Commands,
  deadLetterCommands,
  exportCustomerCommand,
  outboxCommands,
  pruneCommand,
  pruneStep,
} from '@tollgate/service';
import type { Config } from '../config.js';
import { CONSUMED } from '../consumers/customer-events.js';
import { KEPT_UNUSED_MS } from '../start-compiler.js';
import { purgeBackground } from '../store/background/background-responses.js';
import { purgeBatches } from '../store/batches/batches.js';
import { purgeCreationKeys } from '../store/batches/creation-keys.js';
import { purgeFiles } from '../store/batches/files.js';
import { deleteUnusedCompiled } from '../store/compiled-results.js';
import { CUSTOMER_TABLES } from '../store/customers/customer-export.js';
import { purgePlans, purgeRuns } from '../store/runs/purge-runs.js';
import { purgeRunKeys } from '../store/runs/run-keys.js';

const PUBLISHED_KEPT_MS = 86_400_000;
/** Small, because one run can have many thousands of rows. */
const RUNS_PER_BATCH = 20;

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  'export-customer': exportCustomerCommand('workflow-engine', CUSTOMER_TABLES),
  ...outboxCommands(),
  ...deadLetterCommands(CONSUMED),
  prune: pruneCommand(({ config: { retentionMs }, clock, openPool }) => {
    const pool = openPool({ max: 1 });
    return [
      pruneStep('idempotency keys', (limit) => purgeRunKeys(pool, limit)),
      {
        name: 'runs',
        async run() {
          const deleted = await purgeRuns(pool, retentionMs, RUNS_PER_BATCH);
          return { deleted, hasMore: deleted === RUNS_PER_BATCH };
        },
      },
      pruneStep('plans', (limit) => purgePlans(pool, retentionMs, limit)),
      pruneStep('idempotency keys of batches', (limit) => purgeCreationKeys(pool, 'batch', limit)),
      pruneStep('idempotency keys of files', (limit) => purgeCreationKeys(pool, 'file', limit)),
      pruneStep('batches', (limit) => purgeBatches(pool, retentionMs, limit)),
      pruneStep('files', (limit) => purgeFiles(pool, limit)),
      pruneStep('background responses', (limit) => purgeBackground(pool, retentionMs, limit)),
      pruneStep('compiled sources', (limit) =>
        deleteUnusedCompiled(pool, new Date(clock.nowMs() - KEPT_UNUSED_MS), limit),
      ),
      pruneStep('published events', (limit) => removePublished(pool, PUBLISHED_KEPT_MS, limit)),
    ];
  }),
};
