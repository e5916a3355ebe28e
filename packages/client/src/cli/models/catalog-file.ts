import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, EXIT } from '../shell.js';

type Json = Record<string, unknown>;

/** The installation's own models: what MODEL_CATALOG_FILE names. */
export interface CatalogFile {
  models: readonly Json[];
  include: readonly { list: string; connection?: string; models?: string[] }[];
  /** Returns the text of the file with other models; everything else of it stays. */
  withModels(models: readonly Json[]): string;
}

/** Reads a catalog file. A missing file is empty. @throws CliError for a file that is no catalog */
export async function readCatalogFile(file: string): Promise<CatalogFile> {
  const content = await readJson(file);
  const { models = [], include = [], ...others } = isObject(content) ? content : { models: content };
  if (!Array.isArray(models) || !models.every((entry) => isObject(entry) && typeof entry.model_id === 'string')) {
    throw wrongFile(file, 'is no catalog: it needs {"models": [...]}, each with a model_id');
  }
  if (!Array.isArray(include) || !include.every((entry) => isObject(entry) && typeof entry.list === 'string')) {
    throw wrongFile(file, 'is no catalog: include is a list of {"list": ...}');
  }
  const isList = Array.isArray(content);
  const rest = { ...others, ...(include.length > 0 && { include }) };
  return {
    models: models as Json[],
    include: include as unknown as CatalogFile['include'],
    withModels: (changed) => `${JSON.stringify(isList ? changed : { models: changed, ...rest }, undefined, 2)}\n`,
  };
}

/** Replaces the file as a whole, and keeps its permissions: a service that reads it sees the old or the new one. */
export async function writeCatalogFile(file: string, text: string): Promise<void> {
  const { mode } = await stat(file).catch(() => ({ mode: 0o644 }));
  const draft = join(dirname(file), `.${basename(file)}-${randomUUID()}`);
  try {
    const handle = await open(draft, 'wx', mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { models: [] };
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw wrongFile(file, 'is not JSON');
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrongFile(file: string, problem: string): CliError {
  return new CliError(`${file} ${problem}`, { exitCode: EXIT.usage });
}
