export { type LocalDatabase, startLocalDatabase } from './database.js';
export { MEMORY_SETTINGS } from './memory-settings.js';
export { startOneProcess } from './one-process.js';
export { startSeparate } from './separate.js';
export { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from './stack.js';
