export * from './agents.js';
export * from './messages.js';
export * from './paging.js';
export * from './state-handles.js';
