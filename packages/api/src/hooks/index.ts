export * from './mcp-servers.js';
export * from './tool-hooks.js';
export * from './webhook-events.js';
export * from './webhook-reports.js';
export * from './webhooks.js';
