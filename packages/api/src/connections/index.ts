export * from './connections.js';
