export * from './errors.js';
export * from './paging.js';
export * from './text.js';
