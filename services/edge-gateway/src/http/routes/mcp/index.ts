import type { Route } from '../../exchange/route.js';
import { getMcpMetadata } from './get-mcp-metadata.js';
import { serveMcp } from './serve-mcp.js';

export const mcpRoutes: Route[] = [serveMcp, getMcpMetadata];
