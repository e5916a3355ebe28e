// What an operation takes and returns, by its name, from the types of the document.
import type { operations } from '../gen/schema.js';

export type OperationName = keyof operations;

/** The JSON body of a request. */
export type Body<K extends OperationName> = operations[K] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? B
  : never;

export type Query<K extends OperationName> = operations[K] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;

/** The JSON body of the answer with this status. */
export type Answer<K extends OperationName, S extends number> = Content<K, S, 'application/json'>;

/** One event of a streamed answer. */
export type EventIn<K extends OperationName, M extends string> = Content<K, 200, M>;

type Content<K extends OperationName, S extends number, M extends string> = operations[K] extends {
  responses: { [status in S]: { content: { [media in M]: infer A } } };
}
  ? A
  : never;
