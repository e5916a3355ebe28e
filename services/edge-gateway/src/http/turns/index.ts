import type { Context } from '../../context.js';
import { Exchange, type Matched } from '../exchange/exchange.js';
import { hasTwin, withOwnerSession } from '../exchange/owner-sessions.js';
import { serve } from '../exchange/serve.js';
import { hostPath } from '../paths.js';
import type { Middleware } from '../server/steps.js';
import { createChatCompletion } from './create-chat-completion.js';
import { createCompatibleResponse } from './create-compatible-response.js';
import { createCompletion } from './create-completion.js';
import { createDecision } from './create-decision.js';
import { generateGoogleContent, streamGoogleContent } from './create-google-content.js';
import { createMessage } from './create-message.js';
import { createResponse } from './create-response.js';
import type { TurnRoute } from './turn-route.js';

/** A turn and its address. Made once, so that a request without a query needs no object for it. */
interface Entry {
  route: TurnRoute;
  twin: TurnRoute | undefined;
  matched: Matched;
}

const table: readonly Entry[] = [
  createResponse,
  createChatCompletion,
  createCompletion,
  createCompatibleResponse,
  createMessage,
  createDecision,
  generateGoogleContent,
  streamGoogleContent,
].map((route) => ({
  route,
  twin: hasTwin(route) ? withOwnerSession(route) : undefined,
  matched: { params: {}, query: {}, path: hostPath(route.path) },
}));

/** Every turn, for the OpenAPI document and the methods of a path. */
export const turnRoutes: readonly TurnRoute[] = table.flatMap(({ route, twin }) => (twin ? [route, twin] : [route]));

/** Path of an endpoint where an owner's session acts as its project's secret key. */
const inProject = /^\/api\/v1\/projects\/([^/]+)(\/.+)$/;

/**
 * Serves turns, in front of Express and without it. Behind Express, a turn costs the edge 195 µs of CPU instead of 105 (paired
 * runs on Node 20, with services that answer at once). Without that difference, `createRouter` could serve turns like all else.
 */
export function turnHandler(ctx: Context): Middleware {
  const byPath = new Map(table.map((entry) => [entry.matched.path, entry]));
  return (req, res, next) => {
    if (req.method !== 'POST') return next();
    const url = req.url ?? '';
    const queryStart = url.indexOf('?');
    const path = queryStart === -1 ? url : url.slice(0, queryStart);
    // Turns ignore a trailing slash, as Express does.
    const bare = path.endsWith('/') ? path.slice(0, -1) : path;
    const googlePath = readGooglePath(bare);
    const entry = byPath.get(googlePath?.pattern ?? bare);
    if (entry) {
      const found = googlePath ? { ...entry.matched, params: { model: googlePath.model }, path: bare } : entry.matched;
      const matched = queryStart === -1 ? found : { ...found, query: readQuery(url, queryStart) };
      void serve(new Exchange(entry.route, ctx, req, res, matched));
      return;
    }
    const [, projectId, rest] = inProject.exec(bare) ?? [];
    const { twin, matched } = (rest === undefined ? undefined : byPath.get(`/api/v1${rest}`)) ?? {};
    if (!twin || !matched) return next();
    // A twin shares its idempotency keys with the endpoint itself.
    const { path: ownPath } = matched;
    const query = queryStart === -1 ? matched.query : readQuery(url, queryStart);
    void serve(new Exchange(twin, ctx, req, res, { params: { id: projectId }, query, path: ownPath }));
  };
}

function readQuery(url: string, start: number): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.slice(start + 1)));
}

const MODELS = '/v1beta/models/';

/** A path of Google's dialect that names a model and a method. */
interface GooglePath {
  /** The route's path, such as `/v1beta/models/:model:generateContent`. */
  pattern: string;
  model: string;
}

/** Reads `/v1beta/models/MODEL:METHOD`; undefined for any other path. A model's name may contain colons and an encoded slash. */
export function readGooglePath(path: string): GooglePath | undefined {
  if (!path.startsWith(MODELS)) return undefined;
  const colon = path.lastIndexOf(':');
  if (colon <= MODELS.length) return undefined;
  const model = decode(path.slice(MODELS.length, colon));
  return model === undefined ? undefined : { pattern: `${MODELS}:model${path.slice(colon)}`, model };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
