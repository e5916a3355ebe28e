import { z } from 'zod';
import { providerIds } from '../model-record.js';
import { connectionId } from './connection-id.js';

/**
 * The forms in which requests are written. `openai-chat`: chat completions, and the Responses API where the server has it;
 * `openai-responses`: the Responses API only.
 */
export const connectionWires = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock'] as const;

/** One of the forms in which requests are written. */
export type ConnectionWire = (typeof connectionWires)[number];

const name = connectionId;
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be letters, digits and -');
const HEADER_VALUE = /^[\t\x20-\x7e]{0,4096}$/;
const headerValue = z.string().regex(HEADER_VALUE, 'must be printable ASCII');
const text = (max: number) => z.string().min(1).max(max);
const timeoutMs = z.int().min(1).max(3_600_000);

/** Names that the service sets itself, or that belong to one socket. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'transfer-encoding',
  'upgrade',
]);

/** How requests are authorized. Each kind reads its secrets from the keys of the connection. */
export const connectionAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  /** `Authorization: Bearer <secret>`. */
  z.strictObject({ type: z.literal('bearer') }),
  /** The secret is the value of a header, after `prefix`. */
  z.strictObject({ type: z.literal('header'), name: headerName, prefix: headerValue.default('') }),
  /** SigV4. A key has `access_key_id` and `secret`, the secret access key; of temporary credentials also `session_token`. */
  z.strictObject({
    type: z.literal('aws'),
    region: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be the name of a region'),
    service: text(64).default('bedrock'),
  }),
  /**
   * The secret is a service account's key file, or the configuration of a workload identity federation. Connections of the installation
   * need none: they use the machine's own service account. `project` and `location` make the base URL of Vertex AI.
   */
  z.strictObject({
    type: z.literal('google'),
    scope: text(200).default('https://www.googleapis.com/auth/cloud-platform'),
    project: z
      .string()
      .regex(/^[a-z0-9:.-]{1,64}$/, 'must be the id of a project')
      .optional(),
    location: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, 'must be a location')
      .optional(),
  }),
  /** `api-key: <secret>`, or with `tenant_id` a token of Entra ID for `client_id`, whose client secret the secret is. */
  z.strictObject({
    type: z.literal('azure'),
    tenant_id: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,100}$/, 'must be the id or the domain of a tenant')
      .optional(),
    client_id: text(100).optional(),
    /** Of dated deployments (`2024-10-21`); absent: the v1 API. */
    api_version: text(32).optional(),
  }),
]);

/** How requests of one connection are authorized. */
export type ConnectionAuth = Readonly<z.output<typeof connectionAuth>>;

/** How a server deviates from the API whose form it has. A preset sets them; an entry may override each. */
export const connectionQuirks = z.strictObject({
  /** The server has the Responses API beside chat completions. */
  responses: z.boolean().optional(),
  /** The server has `top_k`. */
  top_k: z.boolean().optional(),
  /** How the server counts tokens, for answers without usage. */
  tokenize: z.enum(['vllm', 'llama.cpp']).optional(),
  /** The name of the output bound; absent: by the model. */
  token_bound: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /** The server's name of `seed`. */
  seed: z.literal('random_seed').optional(),
  /** Parameters that the server refuses, by OpenAI's names. */
  lacks: z
    .array(
      z.enum([
        'frequency_penalty',
        'json_object',
        'logit_bias',
        'logprobs',
        'n',
        'presence_penalty',
        'seed',
        'top_logprobs',
      ]),
    )
    .optional(),
  /** `object`: JSON without a schema only; a schema is sent as an instruction. */
  json: z.literal('object').optional(),
  /** Whether the server has tools. */
  has_tools: z.boolean().optional(),
  /** The choices of tools that the server accepts; `named`: a function. Absent: all. */
  tool_choice: z.array(z.enum(['auto', 'named', 'none', 'required'])).optional(),
  /** Letters and digits that the id of a call must have. */
  tool_id_chars: z.int().min(1).max(64).optional(),
  /** `always`: each stream reports usage, and the server refuses to be asked for it. */
  stream_usage: z.literal('always').optional(),
  /** A higher temperature is sent as this one. */
  temperature_max: z.number().min(0).max(2).optional(),
  /** A lower temperature is sent as this one. */
  temperature_min: z.number().min(0).max(2).optional(),
});

/** How a server deviates from the API whose form it has. */
export type ConnectionQuirks = Readonly<z.output<typeof connectionQuirks>>;

/**
 * Schema of one connection, for a form of its secrets: plain text, or a reference that the schema resolves. Fields are snake_case
 * because the entry is also the form of the file and of the API. Members that a preset supplies may be left out.
 */
export function connectionSchema(secret: z.ZodType<string>) {
  return z.strictObject({
    id: connectionId,
    /** Supplies the wire, base URL, authentication and quirks. */
    preset: name.optional(),
    /** The provider that answers name. */
    provider: z.enum(providerIds).exclude(['sandbox']).optional(),
    wire: z.enum(connectionWires).optional(),
    base_url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
    auth: connectionAuth.optional(),
    /** One is chosen for each request, by weight. Without any, requests are authorized by the environment, or not at all. */
    keys: z
      .array(
        z.strictObject({
          /** For logs; the secret is never shown. */
          id: name.optional(),
          secret,
          /** Of `aws`. */
          access_key_id: text(128).optional(),
          /** Of temporary credentials of `aws`. */
          session_token: secret.optional(),
          weight: z.int().min(1).max(1_000).default(1),
        }),
      )
      .max(16)
      .default([]),
    /** Sent with each request. */
    headers: z
      .record(
        headerName.refine((header) => !OWN_HEADERS.has(header.toLowerCase()), 'cannot be set'),
        secret.refine((value) => HEADER_VALUE.test(value), 'must be printable ASCII'),
      )
      .refine((all) => Object.keys(all).length <= 32, 'at most 32 headers')
      .default({}),
    timeouts: z
      .strictObject({
        connect_ms: timeoutMs.optional(),
        /** Until the first byte of an answer. */
        response_ms: timeoutMs.optional(),
        /** Between two parts of an answer. */
        idle_ms: timeoutMs.optional(),
      })
      .default({}),
    /** Sockets of one process. */
    sockets_max: z.int().min(1).max(10_000).optional(),
    /** Requests of one process, in progress and waiting. */
    in_flight_max: z.int().min(1).max(100_000).optional(),
    quirks: connectionQuirks.default({}),
    tags: z.array(name).max(16).default([]),
    /** Where the server processes data, such as `eu`. */
    region: name.optional(),
  });
}

/** One connection with its secrets in plain text, as far as its preset does not supply it. */
export type ConnectionEntry = Readonly<z.output<ReturnType<typeof connectionSchema>>>;

/** A named way to a server, complete. Contains secrets: never log it. */
export type Connection = ConnectionEntry & {
  readonly provider: NonNullable<ConnectionEntry['provider']>;
  readonly wire: ConnectionWire;
  readonly base_url: string;
  readonly auth: ConnectionAuth;
};
