import type { Command } from 'commander';
import { requireKind } from '../access.js';
import { readSignIn, writeSignIn } from '../credentials-file.js';
import { formatMoney, formatTime, printFields, printRows } from '../output.js';
import type { Shell } from '../shell.js';
import { withAccess } from './command.js';

const ROWS_MAX = 1_000;

interface CreateKeyOptions {
  kind: 'secret' | 'publishable';
  limitCents?: string;
}

export function addProjects(program: Command, shell: Shell): void {
  const projects = program.command('projects').description('list projects, and choose one');
  projects
    .command('list', { isDefault: true })
    .description('list your projects')
    .action(
      withAccess(shell, async ({ access, options }) => {
        requireKind(access, ['owner']);
        const rows = await access.client.listProjects().toArray(ROWS_MAX);
        printRows(shell, options, rows, [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['billing', ({ billing_mode }) => billing_mode],
          ['created', ({ created_at }) => formatTime(created_at)],
        ]);
      }),
    );
  projects
    .command('use <project>')
    .description('use this project in the commands that follow')
    .action(
      withAccess(shell, async ({ access }, id) => {
        const { project } = await access.client.getProject(id as string);
        const saved = await readSignIn(shell);
        if (saved) await writeSignIn(shell, { ...saved, project_id: project.id });
        shell.inform(`using ${project.name}`);
      }),
    );
}

export function addKeys(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('list, create and revoke API keys');
  keys
    .command('list', { isDefault: true })
    .description('list the keys of the project')
    .action(
      withAccess(shell, async ({ access, options }) => {
        requireKind(access, ['owner']);
        const query = { project_id: await access.findProject() };
        printRows(shell, options, await access.client.listApiKeys(query).toArray(ROWS_MAX), [
          ['id', ({ id }) => id],
          ['kind', ({ kind }) => kind],
          ['label', ({ label }) => label],
          ['key', ({ redacted_key }) => redacted_key],
          ['spent', ({ spent_microcents }) => formatMoney(spent_microcents)],
          ['last used', ({ last_used_at }) => formatTime(last_used_at)],
        ]);
      }),
    );
  keys
    .command('create <label>')
    .description('create a key; it is shown once')
    .option('--kind <kind>', 'secret or publishable', 'secret')
    .option('--limit-cents <cents>', 'the most that requests with the key may spend')
    .action(
      withAccess<CreateKeyOptions>(shell, async ({ access, options }, label) => {
        requireKind(access, ['owner']);
        const { kind, limitCents } = options;
        const { api_key: key } = await access.client.createApiKey({
          ...{ label: label as string, kind, project_id: await access.findProject() },
          ...(limitCents !== undefined && { spend_limit_cents: Number(limitCents) }),
        });
        if (!options.json) shell.inform('Keep this key: it is not shown again.');
        printFields(shell, options, key, [
          ['id', key.id],
          ['key', key.secret_key],
        ]);
      }),
    );
  keys
    .command('revoke <id>')
    .description('delete a key; requests with it are refused at once')
    .action(
      withAccess(shell, async ({ access }, id) => {
        requireKind(access, ['owner']);
        await access.client.deleteApiKey(id as string);
        shell.inform(`revoked ${id}`);
      }),
    );
}
