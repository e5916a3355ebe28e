import { createHash, timingSafeEqual } from 'node:crypto';
import { isUuid } from '@tollgate/runtime/uuid';

/** Where the person waits for the outcome; names the page for a sign-in that is no longer known. */
export type StatePlace = 'console' | 'device';

/** Creates a `state` that only the browser with this id can return. `random` makes each sign-in's state unique. */
export function oauthState(random: string, browserId: string, place?: StatePlace): string {
  const state = `${random}.${computeBinding(random, browserId)}`;
  return place === undefined ? state : `${state}.${place}`;
}

/** Returns the place of any text; only the choice of an error page may depend on it. */
export function readStatePlace(state: string): StatePlace | undefined {
  const place = state.split('.')[2];
  return place === 'console' || place === 'device' ? place : undefined;
}

export function isStateOfBrowser(state: string, browserId: string): boolean {
  const [random = '', binding = ''] = state.split('.');
  const [given, expected] = [Buffer.from(binding), Buffer.from(computeBinding(random, browserId))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function computeBinding(random: string, browserId: string): string {
  return createHash('sha256').update(`${random}.${browserId}`).digest('base64url');
}

/** Returns the server that a `state` names, for the choice of a page. Whether the state is valid is decided elsewhere. */
export function readStateServer(state: string): { projectId: string; serverId: string } | undefined {
  const [, projectId = '', serverId = ''] = state.split('.');
  return isUuid(projectId) && isUuid(serverId) ? { projectId, serverId } : undefined;
}
