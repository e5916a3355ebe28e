import {
  type BatchEndpoint,
  type CompatibleResponsesBody,
  chatCompletionsBody,
  chatMaxOutputTokens,
  compatibleResponsesBody,
  expandedResponsesBody,
  inputOfCompatibleResponses,
  isSelfContained,
  type SentResponsesBody,
} from '@tollgate/api/compatible';
import { embeddingsBody, inputOfChat } from '@tollgate/api/model-requests';
import { type CatalogModel, estimateEmbeddings, type RequestInput } from '@tollgate/catalog';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { z } from 'zod';

/** A turn as its admission and dispatch need it. */
export interface BatchTurn {
  kind: 'turn';
  dialect: Dialect;
  model: string | undefined;
  maxOutputTokens: number | undefined;
  answers: number | undefined;
  input: RequestInput;
  /** Whether the request asks for its answer to be stored. */
  store: boolean | undefined;
}

export interface BatchEmbeddings {
  kind: 'embeddings';
  model: string;
  countInput: (model: CatalogModel) => number;
}

export type BatchRequest = BatchTurn | BatchEmbeddings;

/** A turn whose input names stored items, which are read when it runs. */
export interface StatefulTurn {
  kind: 'stateful';
  body: SentResponsesBody;
}

/**
 * Reads the body of one line.
 *
 * @throws AppError VALIDATION_ERROR for a body that the endpoint would refuse
 */
export function readBatchRequest(endpoint: BatchEndpoint, body: unknown): BatchRequest | StatefulTurn {
  switch (endpoint) {
    case '/v1/chat/completions':
      return readChat(parse(chatCompletionsBody, body));
    case '/v1/responses':
      return readResponses(parse(compatibleResponsesBody, body));
    case '/v1/embeddings': {
      const { model, input } = parse(embeddingsBody, body);
      return { kind: 'embeddings', model, countInput: (known) => estimateEmbeddings(known, input).inputUnits };
    }
  }
}

function readChat(body: z.output<typeof chatCompletionsBody>): BatchTurn {
  if (body.stream) throw noStream();
  const { model, n } = body;
  return {
    kind: 'turn',
    dialect: Dialect.OPENAI_CHAT,
    model,
    maxOutputTokens: chatMaxOutputTokens(body),
    answers: n && n > 1 ? n : undefined,
    input: inputOfChat(body),
    store: undefined,
  };
}

function readResponses(body: SentResponsesBody): BatchTurn | StatefulTurn {
  if (body.stream) throw noStream();
  if (body.background) throw invalid('background', 'answers of a batch are in its files: leave background out');
  return isSelfContained(body) ? toResponsesTurn(body) : { kind: 'stateful', body };
}

/**
 * Reads the body of a request to `/v1/responses` that has the items to which it refers.
 *
 * @throws AppError VALIDATION_ERROR for a body that the endpoint would refuse
 */
export function readExpandedRequest(body: unknown): BatchTurn {
  return toResponsesTurn(parse(expandedResponsesBody, body));
}

function toResponsesTurn(body: CompatibleResponsesBody): BatchTurn {
  return {
    kind: 'turn',
    dialect: Dialect.OPENAI_RESPONSES,
    model: body.model,
    maxOutputTokens: body.max_output_tokens ?? undefined,
    answers: undefined,
    input: inputOfCompatibleResponses(body),
    store: body.store ?? undefined,
  };
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalid(issue?.path.map(String).join('.') ?? '', issue?.message ?? 'the request is invalid');
}

function noStream(): AppError {
  return invalid('stream', 'answers of a batch are not streamed: leave stream out');
}

/** The error for one member of a body. */
export function invalid(field: string, message: string): AppError {
  const text = field === '' ? message : `${field}: ${message}`;
  return new AppError('VALIDATION_ERROR', text, { fields: [{ field, message }] });
}
