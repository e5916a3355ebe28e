import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.js';
import type { RouteDoc } from '../route.js';

/** Answers the request and returns true, or leaves it alone and returns false. */
export type HotHandler = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Descriptions of the hot routes for the OpenAPI document. */
export const hotRouteDocs: readonly RouteDoc[] = [];

/** Routes that are answered in front of Express. */
export function hotRoutes(_ctx: Context): HotHandler {
  return () => false;
}
