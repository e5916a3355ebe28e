import type { ToolSettings } from './tool-settings.js';

/** Where the key-value and task tools of a node store their data. */
export type StateScope = { kind: 'state'; id: string } | { kind: 'session'; id: string } | { kind: 'run' };

/** Returns the request's state handle or session, otherwise the run's session, otherwise the run itself. */
export function findStateScope(settings: Omit<ToolSettings, 'tools'>, sessionId: string | null): StateScope {
  if (settings.state_id !== undefined) return { kind: 'state', id: settings.state_id };
  const session = settings.session_id ?? sessionId;
  return session === null ? { kind: 'run' } : { kind: 'session', id: session };
}
