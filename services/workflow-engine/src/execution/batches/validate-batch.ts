import type { BatchError } from '@tollgate/api/compatible';
import type { Tx } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { type BatchLine, fault, readBatchLine } from '../../domain/batches/batch-line.js';
import { deleteLines, insertLines } from '../../store/batches/batch-lines.js';
import { type BatchRow, failBatch, startBatch } from '../../store/batches/batches.js';
import { findFile, readPart } from '../../store/batches/files.js';
import { readLines, UnreadableLine } from './read-lines.js';

/** Lines that one statement stores. */
const PAGE_LINES = 500;
const PAGE_CHARS = 4 * 1024 * 1024;

/** Reads the input of a batch that this transaction has locked, and starts its lines. One faulty line fails the whole batch. */
export async function validateBatch(tx: Tx, batch: BatchRow): Promise<void> {
  const input = new BatchInputReader(tx, batch);
  const errors = await input.read();
  if (errors.length === 0) return startBatch(tx, batch.batch_id, input.total, input.model ?? null);
  await deleteLines(tx, batch.batch_id);
  await failBatch(tx, batch.batch_id, JSON.stringify(errors.slice(0, batchLimits.errors)));
}

class BatchInputReader {
  total = 0;
  model: string | undefined;
  readonly #tx: Tx;
  readonly #batch: BatchRow;
  readonly #errors: BatchError[] = [];
  #page: BatchLine[] = [];
  #pageChars = 0;

  constructor(tx: Tx, batch: BatchRow) {
    this.#tx = tx;
    this.#batch = batch;
  }

  /** Stores the lines and returns their faults, at most as many as a batch lists. */
  async read(): Promise<BatchError[]> {
    try {
      for await (const { line, text } of readLines(this.#parts(), batchLimits.lineBytes)) {
        await this.#take(text, line);
        if (this.#errors.length >= batchLimits.errors) return this.#errors;
      }
      await this.#store();
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      this.#errors.push(fault(error.line, 'invalid_json_line', error.message, null));
    }
    if (this.total === 0 && this.#errors.length === 0) {
      this.#errors.push(fault(null, 'empty_file', 'The input file has no requests, or was deleted.', 'input_file_id'));
    }
    return this.#errors;
  }

  async #take(text: string, line: number): Promise<void> {
    this.total += 1;
    if (this.total > batchLimits.lines) {
      const message = `The input file has more than ${batchLimits.lines} requests.`;
      throw new UnreadableLine(line, message);
    }
    const read = readBatchLine(text, line, this.#batch.endpoint);
    if ('code' in read) {
      this.#errors.push(read);
      return;
    }
    this.model ??= read.model;
    this.#page.push(read);
    this.#pageChars += read.body.length;
    if (this.#page.length >= PAGE_LINES || this.#pageChars >= PAGE_CHARS) await this.#store();
  }

  async #store(): Promise<void> {
    const page = this.#page;
    [this.#page, this.#pageChars] = [[], 0];
    if (page.length === 0) return;
    const { batch_id: batchId, account_id: accountId } = this.#batch;
    const stored = await insertLines(this.#tx, { batchId, accountId }, page);
    for (const { line, customId } of page) {
      if (stored.has(line)) continue;
      this.#errors.push(fault(line, 'duplicate_custom_id', `The custom_id ${customId} is used twice.`, 'custom_id'));
    }
  }

  async *#parts(): AsyncGenerator<Buffer> {
    const { project_id: projectId, input_file_id: fileId } = this.#batch;
    const file = await findFile(this.#tx, { projectId, customerId: undefined }, fileId);
    if (!file) return;
    for (let part = 0; ; part++) {
      const body = await readPart(this.#tx, fileId, part);
      if (!body) return;
      yield body;
    }
  }
}
