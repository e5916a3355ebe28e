export * from './anthropic-messages.js';
export * from './anthropic-messages-input.js';
export * from './chat.js';
export * from './compatible-answers.js';
export * from './compatible-events.js';
export * from './compatible-responses.js';
export * from './compatible-responses-input.js';
