import { createHash } from 'node:crypto';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';

/** Whose keys they are: the project, the customer, or the project acting for a customer. */
export function idempotencyScope(principal: Principal): string {
  if (principal.kind === PrincipalKind.CUSTOMER) return `customer:${principal.customerId}`;
  if (principal.kind === PrincipalKind.OWNER) return `account:${principal.accountId}`;
  return `project:${principal.projectId}${principal.customerId === '' ? '' : `:${principal.customerId}`}`;
}

/** Refusals that pass and failures are not kept: a retry after a top-up has to work. */
export function isKeptAnswer(status: number): boolean {
  return status < 500 && status !== 402 && status !== 429;
}

/** Equal for bodies that say the same, whatever their white space and order of keys. */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest();
}

/** The parser has bounded the nesting. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${entries.join(',')}}`;
}
