export * from './tool-hooks.js';
export * from './webhooks.js';
