export * from './account.js';
export * from './api-keys.js';
export * from './auth.js';
export * from './browser-session.js';
export * from './portal.js';
export * from './projects.js';
export * from './sign-in.js';
