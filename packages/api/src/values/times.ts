import { z } from 'zod';

const FROM_MS = 0;
const TO_MS = Date.UTC(9999, 0, 1);

/** A moment in a request. Rejects moments that their offset moves outside the years that the database supports. */
export const moment = z.iso.datetime({ offset: true }).refine(isWithin, 'must be between the years 1970 and 9998');

/** The same for a day. */
export const day = z.iso.date().refine(isWithin, 'must be between the years 1970 and 9998');

/** A day means its first moment, UTC. */
export const dayOrMoment = z.union([day, moment]);

/** Text that is not a date was reported before. */
function isWithin(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || (ms >= FROM_MS && ms < TO_MS);
}
