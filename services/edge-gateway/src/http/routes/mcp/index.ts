import { endpoints } from '../../server/endpoints.js';
import { getMcpMetadata } from './get-mcp-metadata.js';
import { serveMcp } from './serve-mcp.js';

export const mcpRouter = endpoints(serveMcp, getMcpMetadata);
