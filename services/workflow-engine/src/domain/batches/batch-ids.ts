import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import { v5 } from 'uuid';

const FILE = 'file-';
const BATCH = 'batch_';

/** The vendor's form of ids. They sort by time, because the UUIDs do. */
export function toFileId(uuid: string): string {
  return FILE + withoutDashes(uuid);
}

export function toBatchId(uuid: string): string {
  return BATCH + withoutDashes(uuid);
}

/** Returns the UUID of a file's id; undefined for text that cannot be one. */
export function fromFileId(id: string): string | undefined {
  return readUuid(id, FILE);
}

export function fromBatchId(id: string): string | undefined {
  return readUuid(id, BATCH);
}

/** Returns the id of one answer in a batch's files. */
export function toBatchRequestId(batchId: string, line: number): string {
  return `batch_req_${withoutDashes(v5(`line/${line}`, batchId))}`;
}

/** Returns the id of the hold of one attempt at a line, which any process derives. */
export function lineHoldId(batchId: string, line: number, attempt: number): string {
  return v5(`hold/${line}/${attempt}`, batchId);
}

function withoutDashes(uuid: string): string {
  return uuid.replaceAll('-', '');
}

function readUuid(id: string, prefix: string): string | undefined {
  if (!id.startsWith(prefix)) return undefined;
  const hex = id.slice(prefix.length);
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return isLowerCaseUuid(uuid) ? uuid : undefined;
}
