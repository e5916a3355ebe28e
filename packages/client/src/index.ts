export {
  type FollowOptions,
  type FollowResponseOptions,
  type ResponseEvent,
  type RunEvent,
  Tollgate,
} from './client.js';
export type { EventStream } from './core/caller.js';
export { type ClientErrorCode, type FieldProblem, TollgateError } from './core/error.js';
export type { Answer, Body, OperationName, Query } from './core/operation-types.js';
export type { Pages } from './core/pages.js';
export type { CallOptions, ClientOptions, Timing } from './core/settings.js';
export type { WebhookEvent } from './gen/operations.js';
/** Every schema of the API, by its name in the reference: `components['schemas']['Customer']`. */
export type { components, operations } from './gen/schema.js';
export { type IssuedToken, type RefreshOptions, refreshingToken, type TokenSource } from './tokens.js';
export { type SignatureForm, verifyWebhook, type WebhookRequest } from './webhooks.js';
