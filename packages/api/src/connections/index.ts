export * from './connections.js';
export * from './presets.js';
