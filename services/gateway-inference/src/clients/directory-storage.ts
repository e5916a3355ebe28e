import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageStorage } from './image-storage.js';

/** Stores files in a local directory, for one process or for several that share the directory. */
export class DirectoryStorage implements ImageStorage {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Writes the file atomically and durably. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#directory, key);
    await mkdir(this.#directory, { recursive: true });
    const file = await open(`${path}.part`, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.#directory, key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#directory, key), { force: true });
  }
}
