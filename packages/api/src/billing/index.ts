export * from './customers.js';
export * from './payments.js';
export * from './statements.js';
export * from './tiers.js';
