import { isLowerCaseUuid } from '@tollgate/runtime/uuid';

/** The place of a row in a list that is sorted by time and id. */
export interface ListPlace {
  at: Date;
  id: string;
}

/** Returns the place as clients send it back. */
export function toCursor({ at, id }: ListPlace): string {
  return Buffer.from(`${at.getTime().toString(36)}.${id}`).toString('base64url');
}

/** Returns undefined for text that `toCursor` has not made. */
export function fromCursor(cursor: string): ListPlace | undefined {
  const [, ms, id] = /^([0-9a-z]{1,11})\.(.{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (ms === undefined || id === undefined || !isLowerCaseUuid(id)) return undefined;
  const at = new Date(Number.parseInt(ms, 36));
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9998 ? undefined : { at, id };
}
