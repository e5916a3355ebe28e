import type { SchemaCheck } from '@tollgate/tools/schema-thread';
import type { CheckSchema } from '../../domain/mcp/offered-tools.js';

/** For all schemas of one listing. Ordinary schemas take a few milliseconds each. */
const CHECKS_MS_MAX = 500;

type Check = (schema: Readonly<Record<string, unknown>>, timeoutMs: number) => Promise<SchemaCheck>;

/** Returns a check that refuses a listing's schemas when the time of the listing is over. Waiting takes none of that time. */
export function limitChecks(check: Check, budgetMs = CHECKS_MS_MAX): CheckSchema {
  let remainingMs = budgetMs;
  return async (schema) => {
    if (remainingMs < 1) return 'was not checked: the schemas of the server take too long to check together';
    const { fault, ms } = await check(schema, remainingMs);
    remainingMs -= ms;
    return fault;
  };
}
