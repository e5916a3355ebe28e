import type { Tx } from '@tollgate/postgres';
import { yieldLoop } from '@tollgate/runtime';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import {
  type BatchLine,
  type BatchValidation,
  fault,
  readBatchLine,
  readValidation,
} from '../../domain/batches/batch-line.js';
import { deleteLines, insertLines } from '../../store/batches/batch-lines.js';
import { type BatchRow, failBatch, saveValidation, startBatch } from '../../store/batches/batches.js';
import { findFile, readPart } from '../../store/batches/files.js';
import { type FileParts, type FilePlace, readLines, UnreadableLine } from './read-lines.js';

/** Lines that one statement stores. */
const PAGE_LINES = 500;
const PAGE_CHARS = 4 * 1024 * 1024;

/**
 * Reads the next part of the input of a batch that this transaction has locked, and stores its lines. Starts the lines after the
 * last part. One faulty line fails the whole batch.
 */
export async function validateBatch(tx: Tx, batch: BatchRow): Promise<void> {
  const state = readValidation(batch.validation);
  const isWhole = await new InputReader(tx, batch, state).read();
  const { batch_id: batchId } = batch;
  const { errors, total, model } = state;
  if (!isWhole && errors.length < batchLimits.errors) {
    return saveValidation(tx, batchId, JSON.stringify(state), batchLimits.previousVersionMs);
  }
  if (errors.length === 0) return startBatch(tx, { batchId, total, model: model ?? null });
  await deleteLines(tx, batchId);
  await failBatch(tx, { batchId, errors: JSON.stringify(errors.slice(0, batchLimits.errors)) });
}

class InputReader {
  readonly #tx: Tx;
  readonly #batch: BatchRow;
  readonly #state: BatchValidation;
  #page: BatchLine[] = [];
  #pageChars = 0;
  #turnChars = 0;

  constructor(tx: Tx, batch: BatchRow, state: BatchValidation) {
    this.#tx = tx;
    this.#batch = batch;
    this.#state = state;
  }

  /** Stores the lines of one step and records their faults. Returns whether there is nothing left to read. */
  async read(): Promise<boolean> {
    const { place, errors } = this.#state;
    const { project_id: projectId, input_file_id: fileId } = this.#batch;
    const parts = new StepParts(this.#tx, { projectId, fileId }, place);
    try {
      for await (const { line, text } of readLines(parts, place)) {
        await this.#take(text, line);
        if (errors.length >= batchLimits.errors) return true;
      }
      await this.#store();
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      errors.push(fault(error.line, 'invalid_json_line', error.message, null));
      return true;
    }
    if (!parts.isWhole && !parts.isDeleted) return false;
    if (parts.isDeleted || (this.#state.total === 0 && errors.length === 0)) {
      errors.push(fault(null, 'empty_file', 'The input file has no requests, or was deleted.', 'input_file_id'));
    }
    return true;
  }

  async #take(text: string, line: number): Promise<void> {
    this.#state.total += 1;
    if (this.#state.total > batchLimits.lines) {
      throw new UnreadableLine(line, `The input file has more than ${batchLimits.lines} requests.`);
    }
    await this.#yield(text.length);
    const read = readBatchLine(text, line, this.#batch.endpoint);
    if ('code' in read) {
      this.#state.errors.push(read);
      return;
    }
    this.#state.model ??= read.model;
    this.#page.push(read);
    this.#pageChars += read.body.length;
    if (this.#page.length >= PAGE_LINES || this.#pageChars >= PAGE_CHARS) await this.#store();
  }

  /** Lets other work of the process run between lines. */
  async #yield(chars: number): Promise<void> {
    this.#turnChars += chars;
    if (this.#turnChars < batchLimits.turnChars) return;
    this.#turnChars = 0;
    await yieldLoop();
  }

  async #store(): Promise<void> {
    const page = this.#page;
    [this.#page, this.#pageChars] = [[], 0];
    if (page.length === 0) return;
    const { batch_id: batchId, account_id: accountId } = this.#batch;
    const stored = await insertLines(this.#tx, { batchId, accountId }, page);
    for (const { line, customId } of page) {
      if (stored.has(line)) continue;
      const message = `The custom_id ${customId} is used twice.`;
      this.#state.errors.push(fault(line, 'duplicate_custom_id', message, 'custom_id'));
    }
  }
}

/** The parts of an input file that one step reads, from a place on: at least one line. */
class StepParts implements FileParts {
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
