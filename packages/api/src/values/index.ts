export * from './errors.js';
export * from './json-bounds.js';
export { parseInSlices } from './json-slices.js';
export * from './paging.js';
export * from './text.js';
