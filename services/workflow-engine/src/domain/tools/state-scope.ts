import type { ResponsesBody } from '@tollgate/api';

/** Where the key-value and task tools of a node keep what they are told. */
export type StateScope = { kind: 'state'; id: string } | { kind: 'session'; id: string } | { kind: 'run' };

/** The request's own handle or session, else the run's session, else the run itself. */
export function stateScopeOf(
  request: Pick<ResponsesBody, 'state_id' | 'session_id'>,
  sessionId: string | null,
): StateScope {
  if (request.state_id !== undefined) return { kind: 'state', id: request.state_id };
  const session = request.session_id ?? sessionId;
  return session === null ? { kind: 'run' } : { kind: 'session', id: session };
}
