import type { Route } from '../../exchange/route.js';
import { serveMcp } from './serve-mcp.js';

export const mcpRoutes: Route[] = [serveMcp];
