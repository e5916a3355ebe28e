import type { Command } from 'commander';
import { TollgateError } from '../../core/error.js';
import { type Access, requireKind } from '../access.js';
import { formatMoney, printRows } from '../output.js';
import type { Shell } from '../shell.js';
import { planChanges, type TierChange } from '../tiers/plan-changes.js';
import { readTierFiles, writeTierFiles } from '../tiers/tier-files.js';
import type { Tier, TierFile } from '../tiers/to-tier-file.js';
import { withAccess } from './command.js';

export function addTiers(program: Command, shell: Shell): void {
  const tiers = program.command('tiers').description('list tiers, and keep them as files');
  tiers
    .command('list', { isDefault: true })
    .description('list the tiers of the project')
    .action(
      withAccess(shell, async ({ access, options }) => {
        printRows(shell, options, await listTiers(access), [
          ['code', ({ tier_code }) => tier_code],
          ['name', ({ display_name }) => display_name],
          ['billing', ({ billing_mode }) => billing_mode],
          ['limit', ({ spend_limit_cents: cents }) => formatMoney(cents == null ? undefined : cents * 1e6)],
          ['models', ({ models }) => models.length],
          ['default', ({ is_default }) => (is_default ? 'yes' : '')],
        ]);
      }),
    );
  tiers
    .command('pull [folder]')
    .description('write each tier to FOLDER/<code>.json; default folder: tiers')
    .action(
      withAccess(shell, async ({ access }, folder = 'tiers') => {
        const written = await writeTierFiles(folder, await listTiers(access));
        for (const file of written) shell.inform(`wrote ${file}`);
      }),
    );
  tiers
    .command('push [folder]')
    .description('create and update tiers from FOLDER/*.json; deletes none')
    .option('--dry-run', 'show the changes, and make none')
    .action(
      withAccess<{ dryRun?: boolean }>(shell, async ({ access, options }, folder = 'tiers') => {
        requireKind(access, ['owner']);
        const changes = planChanges(await readTierFiles(folder), await listTiers(access));
        if (options.json) shell.print(JSON.stringify(changes, undefined, 2));
        else printChanges(shell, changes);
        if (!options.dryRun) await applyChanges(access, changes);
      }),
    );
}

async function listTiers(access: Access): Promise<Tier[]> {
  if (access.kind !== 'owner') {
    requireKind(access, ['secret_key']);
    return (await access.client.listTiers()).tiers;
  }
  return (await access.client.listProjectTiers(await access.findProject())).tiers;
}

async function applyChanges({ client, findProject }: Access, changes: readonly TierChange[]): Promise<void> {
  const projectId = await findProject();
  for (const change of changes) {
    try {
      if (change.kind === 'create') await client.createTier(projectId, change.tier as TierFile);
      else if (change.kind === 'update') await client.updateTier(projectId, change.id, change.set);
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error;
      throw new TollgateError(error.code, `tier ${change.tier_code}: ${error.message}`, { ...error, cause: error });
    }
  }
}

const SIGNS = { create: '+', update: '~', unchanged: ' ', extra: '?' } as const;

function printChanges(shell: Shell, changes: readonly TierChange[]): void {
  for (const change of changes) {
    shell.print(
      `${SIGNS[change.kind]} ${change.tier_code}${change.kind === 'extra' ? ' has no file; it is kept' : ''}`,
    );
    if (change.kind !== 'update') continue;
    for (const [field, value] of Object.entries(change.set)) {
      shell.print(`    ${field}: ${JSON.stringify(change.before[field])} → ${JSON.stringify(value)}`);
    }
  }
}
