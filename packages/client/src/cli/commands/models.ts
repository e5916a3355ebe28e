import {
  applyChanges,
  compareLists,
  isOwnList,
  type ListChange,
  listOtherModels,
  type ReadList,
  readDownloaded,
  vendors,
} from '@tollgate/catalog/price-lists';
import type { Command } from 'commander';
import { readCatalogFile, writeCatalogFile } from '../models/catalog-file.js';
import { readJsonFrom } from '../models/download.js';
import { clean } from '../output.js';
import { CliError, EXIT, type GlobalOptions, type Shell } from '../shell.js';

interface SyncOptions extends GlobalOptions {
  from: string;
  file: string;
  connection?: string;
  only?: string[];
  existing?: boolean;
  write?: boolean;
}

const HELP = `
A price list is LiteLLM's model_prices_and_context_window.json or models.dev's api.json, as a file or an address. FILE is the catalog
file of the installation (MODEL_CATALOG_FILE); the services read it when they start. Prices of open holds stay as they were.
Vendors: ${Object.keys(vendors).join(', ')}.`;

export function addModels(program: Command, shell: Shell): void {
  const models = program.command('models').description('keep the prices of a catalog file');
  models
    .command('sync <vendor>')
    .description("compare a catalog file with a vendor's models in a downloaded price list")
    .requiredOption('--from <list>', 'file or address of the price list')
    .requiredOption('--file <file>', 'the catalog file')
    .option(
      '--connection <id>',
      'connection that serves the models; required for vendors that the catalog does not have',
    )
    .option('--only <models...>', "the vendor's names of the models to compare")
    .option('--existing', 'compare the models of the catalog, and add none')
    .option('--write', 'change the catalog file; otherwise the differences are only shown')
    .addHelpText('after', HELP)
    .action(async (vendor: string, _options: object, command: Command) => {
      await sync(shell, vendor, command.optsWithGlobals<SyncOptions>());
    });
}

async function sync(shell: Shell, list: string, options: SyncOptions): Promise<void> {
  const { from, connection } = options;
  if (!Object.hasOwn(vendors, list)) {
    throw wrongUse(`unknown vendor ${list}; known are ${Object.keys(vendors).join(', ')}`);
  }
  if (connection === undefined && !isOwnList(list)) throw wrongUse(`--connection is required for ${list}`);
  const file = await readCatalogFile(options.file);
  const read = readList(await readJsonFrom(shell, from), list, { from, nowMs: shell.nowMs() });
  const catalog = { file: file.models, others: await listOtherModels(file.include) };
  const changes = compareLists(catalog, { list, connection }, read).filter((change) => isWanted(change, options));
  if (options.json) shell.print(JSON.stringify({ changes, skipped: read.skipped }, undefined, 2));
  else printChanges(shell, changes, read);
  if (!options.write) {
    if (changes.length > 0) shell.inform(`nothing was written; add --write to change ${options.file}`);
    return;
  }
  if (changes.length === 0) return;
  await writeCatalogFile(options.file, file.withModels(applyChanges(file.models, changes)));
  shell.inform(`wrote ${options.file}; the services read it when they start`);
}

function readList(content: unknown, list: string, { from, nowMs }: { from: string; nowMs: number }): ReadList {
  let read: ReadList;
  try {
    read = readDownloaded(content, list, new Date(nowMs).toISOString().slice(0, 10));
  } catch (error) {
    if (error instanceof RangeError) throw wrongUse(`${from} ${error.message}`);
    throw error;
  }
  if (read.models.length + read.skipped.length + read.retired.length > 0) return read;
  throw wrongUse(`${from} has no models of ${list}`);
}

function isWanted({ kind, upstream }: ListChange, { only, existing }: SyncOptions): boolean {
  return (kind !== 'added' || !existing) && (only === undefined || only.includes(upstream));
}

const SIGNS = { added: '+', changed: '~', retired: '-' } as const;

function printChanges(shell: Shell, changes: readonly ListChange[], { skipped }: ReadList): void {
  for (const change of changes) {
    shell.print(`${SIGNS[change.kind]} ${clean(change.model_id)}${describe(change)}`);
    if (change.kind !== 'changed') continue;
    for (const [field, value] of Object.entries(change.set)) {
      shell.print(`    ${field}: ${JSON.stringify(change.before[field]) ?? 'none'} → ${JSON.stringify(value)}`);
    }
  }
  const count = (kind: ListChange['kind']) => changes.filter((change) => change.kind === kind).length;
  shell.inform(`${count('added')} added, ${count('changed')} changed, ${count('retired')} retired`);
  for (const { model_id: id, reason } of skipped) shell.inform(`left out: ${clean(id)}: ${clean(reason)}`);
}

function describe(change: ListChange): string {
  if (change.kind === 'retired')
    return change.use === undefined ? ' is retired' : ` is retired; use ${clean(change.use)}`;
  if (change.kind === 'changed') return '';
  const { input_cost_per_million_cents: input, output_cost_per_million_cents: output } = change.entry;
  return input === undefined ? '' : `: ${JSON.stringify(input)} in, ${JSON.stringify(output)} out (cents per million)`;
}

function wrongUse(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage });
}
