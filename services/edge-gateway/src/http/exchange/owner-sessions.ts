import { z } from 'zod';
import type { Credential } from '../../auth/authenticate.js';
import { isCompatiblePath } from '../paths.js';
import type { Route } from './route.js';
import type { RouteDoc } from './route-doc.js';

const PROJECT = '/projects/:id';

/**
 * Adds a twin under `/projects/:id/…` for every native endpoint that accepts a secret key. There an owner's session acts
 * in the project of the path, so that a browser never holds a key. A twin never replaces an existing endpoint.
 */
export function withOwnerSessions(routes: readonly Route[]): { declared: Route[]; twins: Route[] } {
  const declared = routes.map((route) => (isClosedInProject(route) ? openInProject(route) : route));
  const taken = new Set(declared.map(toAddress));
  const twins = routes.filter(hasTwin).map(toTwin);
  return { declared, twins: twins.filter((twin) => !taken.has(toAddress(twin))) };
}

/** Returns the endpoint's twin under `/projects/:id/…`. Its params are the project's id alone. */
export function withOwnerSession<R extends RouteDoc>(route: R): R {
  return {
    ...route,
    path: `${PROJECT}${route.path}`,
    auth: ['owner'],
    ...describeTwin(route),
    params: z.object({ id: z.string() }),
    ownerActsAsKey: true,
  };
}

/** Whether the endpoint also exists under `/projects/:id/…`. */
export function hasTwin({ auth, path }: Pick<RouteDoc, 'auth' | 'path'>): boolean {
  return acceptsKey(auth) && !path.startsWith(PROJECT) && !isCompatiblePath(path);
}

function isClosedInProject({ auth, path }: Route): boolean {
  return path.startsWith(PROJECT) && acceptsKey(auth) && !auth.includes('owner');
}

function openInProject(route: Route): Route {
  return { ...route, auth: [...(route.auth as Credential[]), 'owner'], ownerActsAsKey: true };
}

function acceptsKey(auth: RouteDoc['auth']): auth is readonly Credential[] {
  return auth !== 'none' && auth.includes('secret_key');
}

/**
 * Returns the twin of an endpoint of the account for the members of one project. The handler's principal has the project's
 * account: the endpoint must confine itself to the principal's project.
 */
export function toMemberTwin(route: Route): Route {
  return { ...toTwin(route), summary: route.summary, ownerActsAsKey: false };
}

/** Maps `/runs/:id/events` to `/projects/:id/runs/:run_id/events`. The handler gets its parameters under their own names. */
function toTwin(route: Route): Route {
  const ownName = toIdName(route.path);
  const path = `${PROJECT}${route.path.replace(/:id\b/, `:${ownName}`)}`;
  const { id, ...others } = route.params ? (route.params as z.ZodObject).shape : {};
  return {
    ...withOwnerSession(route),
    path,
    params: z.object({ id: z.string(), ...(id && { [ownName]: id }), ...others }),
    handler: (input, ctx) => {
      const { id: _project, [ownName]: own, ...rest } = input.params as Record<string, unknown>;
      return route.handler({ ...input, params: own === undefined ? rest : { ...rest, id: own } }, ctx);
    },
  };
}

/** `/runs/:id` → `run_id` */
function toIdName(path: string): string {
  const resource = /(\w+)s\/:id\b/.exec(path)?.[1] ?? 'own';
  return `${resource}_id`;
}

/** `createRun` → `createProjectRun` */
function describeTwin({ summary, operationId }: RouteDoc): Pick<RouteDoc, 'summary' | 'operationId'> {
  return {
    summary: `${summary}; by the owner's session`,
    ...(operationId && { operationId: operationId.replace(/^(topUp|[a-z]+)/, '$1Project') }),
  };
}

function toAddress({ method, path }: Route): string {
  return `${method} ${path.replace(/:\w+/g, ':')}`;
}
