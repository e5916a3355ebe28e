export * from './requests.js';
export * from './usage.js';
