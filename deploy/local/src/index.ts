export { type LocalDatabase, startLocalDatabase } from './database.js';
export { startOneProcess } from './one-process.js';
export { ALLOCATOR_SETTINGS, startSeparate } from './separate.js';
export { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from './stack.js';
