import type { SchemaCheck } from '@tollgate/tools/schema-thread';
import type { CheckSchema } from '../../domain/mcp/offered-tools.js';

/** For all schemas of one listing. Ordinary schemas take a few milliseconds each. */
const CHECKS_MS_MAX = 2_000;
/** For the parts of all checks beyond the time of an ordinary one: slow schemas do not use up the time of the others. */
const SLOW_MS_MAX = 500;
const ORDINARY_MS = 10;

type Check = (schema: Readonly<Record<string, unknown>>, timeoutMs: number) => Promise<SchemaCheck>;

/** Returns a check that refuses a listing's schemas when the time of the listing is over. Waiting takes none of that time. */
export function limitChecks(check: Check, { totalMs = CHECKS_MS_MAX, slowMs = SLOW_MS_MAX } = {}): CheckSchema {
  let remainingMs = totalMs;
  let remainingSlowMs = slowMs;
  return async (schema) => {
    if (remainingMs < 1) return 'was not checked: the schemas of the server take too long to check together';
    const { fault, ms } = await check(schema, Math.min(remainingMs, ORDINARY_MS + remainingSlowMs));
    remainingMs -= ms;
    remainingSlowMs -= Math.min(remainingSlowMs, Math.max(0, ms - ORDINARY_MS));
    return fault;
  };
}
