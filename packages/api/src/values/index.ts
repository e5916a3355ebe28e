export * from './errors.js';
export * from './json-bounds.js';
export * from './paging.js';
export * from './text.js';
