import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import { hasTwin, twinDocOf } from '../exchange/owner-sessions.js';
import type { RouteDoc } from '../exchange/route.js';
import { createChatCompletion } from './create-chat-completion.js';
import { createCompatibleResponse } from './create-compatible-response.js';
import { createDecision } from './create-decision.js';
import { createMessage } from './create-message.js';
import { createResponse } from './create-response.js';
import type { HotRoute } from './hot-route.js';
import { serveHot } from './serve-hot.js';

/** Answers the request and returns true, or leaves it alone and returns false. */
export type HotHandler = (req: IncomingMessage, res: ServerResponse) => boolean;

const table: readonly HotRoute[] = [
  createResponse,
  createChatCompletion,
  createCompatibleResponse,
  createMessage,
  createDecision,
];

/** Descriptions of the hot routes for the OpenAPI document. */
export const hotRouteDocs: readonly RouteDoc[] = table
  .flatMap(({ doc }) => [doc, ...(hasTwin(doc) ? [twinDocOf(doc)] : [])])
  .map((doc) => ({
    ...doc,
    cacheable: true,
    bodyClass: 'generating',
  }));

/** Where an owner's session acts as its project's key. */
const inProject = /^\/api\/v1\/projects\/([^/]+)(\/.+)$/;

/** Routes that are answered in front of Express. */
export function hotRoutes(ctx: Context): HotHandler {
  const byPath = new Map(table.map((route) => [route.path, route]));
  return (req, res) => {
    if (req.method !== 'POST') return false;
    const url = req.url ?? '';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    // A slash behind a path changes nothing, as on all other routes.
    const bare = path.endsWith('/') ? path.slice(0, -1) : path;
    const route = byPath.get(bare);
    if (route) {
      void serveHot(route, ctx, req, res);
      return true;
    }
    const [, projectId, rest] = inProject.exec(bare) ?? [];
    const twin = rest === undefined ? undefined : byPath.get(`/api/v1${rest}`);
    if (twin) void serveHot(twin, ctx, req, res, projectId);
    return twin !== undefined;
  };
}
