export * from './messages.js';
export * from './sessions.js';
export * from './sql.js';
export * from './state-handles.js';
