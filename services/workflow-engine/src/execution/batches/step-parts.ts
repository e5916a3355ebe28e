import type { Tx } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { findFile, readPart } from '../../store/batches/files.js';
import type { FileParts, FilePlace } from './read-lines.js';

/** The parts of an input file that one step reads, from a place on: at least one line. */
export class StepParts implements FileParts {
  isWhole = false;
  /** The file, or the rest of it, is not there any more. */
  isDeleted = false;
  readonly #tx: Tx;
  readonly #file: { projectId: string; fileId: string };
  /** Moves while the parts are read. */
  readonly #place: Readonly<FilePlace>;

  constructor(tx: Tx, file: { projectId: string; fileId: string }, place: Readonly<FilePlace>) {
    this.#tx = tx;
    this.#file = file;
    this.#place = place;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const { projectId, fileId } = this.#file;
    const file = await findFile(this.#tx, { projectId, customerId: undefined }, fileId);
    if (!file) {
      this.isDeleted = true;
      return;
    }
    const start = { ...this.#place };
    let bytes = 0;
    for (let part = start.part; part < file.parts; part++) {
      const hasMoved = this.#place.part > start.part || this.#place.offset > start.offset;
      if (bytes >= batchLimits.stepBytes && hasMoved) return;
      const body = await readPart(this.#tx, fileId, part);
      if (!body) {
        this.isDeleted = true;
        return;
      }
      bytes += body.length;
      yield body;
    }
    this.isWhole = true;
  }
}
