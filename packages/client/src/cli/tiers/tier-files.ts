import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, EXIT } from '../shell.js';
import { FILE_FIELDS, type Tier, type TierFile, toTierFile } from './to-tier-file.js';

const FILES_MAX = 1_000;

/** Returns the names of the files. */
export async function writeTierFiles(folder: string, tiers: readonly Tier[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const tier of tiers) {
    const file = join(folder, toFileName(tier.tier_code));
    await writeFile(file, `${JSON.stringify(toTierFile(tier), undefined, 2)}\n`);
    files.push(file);
  }
  return files;
}

/** @throws CliError for a file that is no tier, and for two files of one tier */
export async function readTierFiles(folder: string): Promise<TierFile[]> {
  const names = (await listFolder(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length > FILES_MAX) throw wrongFile(folder, `has more than ${FILES_MAX} files`);
  const seen = new Set<string>();
  const tiers: TierFile[] = [];
  for (const name of names) {
    const file = join(folder, name);
    const tier = parseTier(file, await readFile(file, 'utf8'));
    if (seen.has(tier.tier_code)) throw wrongFile(file, `is a second file of the tier ${tier.tier_code}`);
    seen.add(tier.tier_code);
    tiers.push(tier);
  }
  return tiers;
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CliError(`there is no folder ${folder}`, { hint: 'Run `tollgate tiers pull` first.' });
  }
}

function parseTier(file: string, text: string): TierFile {
  let tier: Partial<TierFile>;
  try {
    tier = JSON.parse(text);
  } catch {
    throw wrongFile(file, 'is not JSON');
  }
  if (typeof tier.tier_code !== 'string' || !Array.isArray(tier.models)) {
    throw wrongFile(file, 'is no tier: it needs tier_code, display_name and models');
  }
  const unknown = Object.keys(tier).filter((field) => !FILE_FIELDS.has(field));
  if (unknown.length > 0) throw wrongFile(file, `has fields that a tier does not have: ${unknown.join(', ')}`);
  return tier as TierFile;
}

/** A code may hold any character. */
function toFileName(tierCode: string): string {
  return `${encodeURIComponent(tierCode).replace(/^\./, '%2E')}.json`;
}

function wrongFile(file: string, problem: string): CliError {
  return new CliError(`${file} ${problem}`, { exitCode: EXIT.usage });
}
