import { auditActor, recordAudit } from '../../operations/record-audit.js';
import type { Exchange } from './exchange.js';
import type { Route, RouteInput, RouteResult } from './route.js';

type AnyInput = RouteInput<unknown, unknown, unknown>;

/** Writes the action of a route that names one to the account's audit log. */
export async function auditRequest(exchange: Exchange<Route>, input: AnyInput, result: RouteResult): Promise<void> {
  const { route, ctx, ids } = exchange;
  const audited = 'audited' in result ? result.audited : undefined;
  if (route.audit === undefined || audited === false) return;
  const { principal, params, address } = input;
  await recordAudit(ctx, {
    accountId: principal.accountId,
    projectId: auditedProject(route, input),
    action: route.audit,
    subjectId: audited?.subjectId ?? auditedSubject(route, params, result),
    changes: audited?.changes,
    address,
    requestId: ids.requestId,
    ...auditActor(principal),
  });
}

function auditedProject(route: Route, { params, principal }: AnyInput): string {
  return route.path.startsWith('/projects/:id') ? String((params as { id: unknown }).id) : principal.projectId;
}

/** Returns the id in the answer for a creation, else the last parameter of the path. */
function auditedSubject(route: Route, params: unknown, result: RouteResult): string | undefined {
  const made = route.success.status === 201 && 'body' in result ? Object.values(result.body as object)[0] : undefined;
  const id = (made as { id?: unknown } | undefined)?.id ?? Object.values((params ?? {}) as object).at(-1);
  return typeof id === 'string' ? id : undefined;
}
