import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import type { RouteDoc } from '../route.js';
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
export const hotRouteDocs: readonly RouteDoc[] = table.map(({ doc }) => ({
  ...doc,
  cacheable: true,
  bodyClass: 'generating',
}));

/** Routes that are answered in front of Express. */
export function hotRoutes(ctx: Context): HotHandler {
  const byPath = new Map(table.map((route) => [route.path, route]));
  return (req, res) => {
    if (req.method !== 'POST') return false;
    const url = req.url ?? '';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    // A slash behind a path changes nothing, as on all other routes.
    const route = byPath.get(path.endsWith('/') ? path.slice(0, -1) : path);
    if (!route) return false;
    void serveHot(route, ctx, req, res);
    return true;
  };
}
