import { z } from 'zod';
import { pageQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';

/** Whether the installation's routes follow those of the connection. */
export const connectionModes = ['prefer', 'only'] as const;

const KEYS_MAX = 16;
const HEADERS_MAX = 32;
const MODELS_MAX = 100;

const text = (max: number) => storableText(max).min(1);
const timeoutMs = z.int().min(1).max(3_600_000);

/** Only JSON types and sizes are checked here; gateway-inference validates the values and reports faults by field. */
const auth = z.strictObject({
  type: text(16).describe('`none`, `bearer`, `header`, `aws`, `google` or `azure`'),
  name: text(64).optional().describe('of `header`: the name of the header whose value the secret is'),
  prefix: storableText(200).optional().describe('of `header`: written before the secret'),
  region: text(64).optional().describe('of `aws`: required'),
  service: text(64).optional().describe('of `aws`: default `bedrock`'),
  scope: text(200).optional().describe('of `google`: default the scope of Google Cloud'),
  project: text(64).optional().describe('of `google`: with `location`, makes the base URL of Vertex AI'),
  location: text(64).optional().describe('of `google`'),
  tenant_id: text(100)
    .optional()
    .describe('of `azure`: the tenant of a client of Entra ID; absent: the secret is an API key'),
  client_id: text(100).optional().describe('of `azure`: that client'),
  api_version: text(32).optional().describe('of `azure`: of dated deployments; absent: the v1 API'),
});

const timeouts = z.strictObject({
  connect_ms: timeoutMs.optional(),
  response_ms: timeoutMs.optional().describe('until the first byte of an answer'),
  idle_ms: timeoutMs.optional().describe('between two parts of an answer'),
});

const weight = z.int().min(1).max(1_000);

const settings = {
  preset: text(64)
    .optional()
    .describe(
      'a known vendor, such as `anthropic`, `openai`, `mistral` or `bedrock`; supplies wire, base URL and authentication',
    ),
  wire: text(32)
    .optional()
    .describe('`openai-chat`, `openai-responses`, `anthropic`, `gemini` or `bedrock`; required without a preset'),
  base_url: storableText(2_048).optional().describe('https; required unless the preset or the authentication has one'),
  auth: auth.optional(),
  timeouts: timeouts.optional(),
};

const keys = z
  .array(
    z.strictObject({
      id: text(64).optional().describe('for the logs of the operator'),
      secret: text(16_384).describe('stored encrypted and never returned'),
      access_key_id: text(128).optional().describe('of `aws`'),
      session_token: text(16_384).optional().describe('of temporary credentials of `aws`'),
      weight: weight.default(1).describe('share of the requests'),
    }),
  )
  .min(1)
  .max(KEYS_MAX)
  .describe('a key is chosen for each request; a key that the vendor refuses rests');

const headers = z
  .record(text(64), text(4_096))
  .refine((all) => Object.keys(all).length <= HEADERS_MAX, { message: `must have at most ${HEADERS_MAX} entries` })
  .describe('sent with every request; stored encrypted and never returned');

const models = z
  .array(
    z.strictObject({
      model: text(200).describe('id of a model with prices, as `GET /api/v1/models` lists it'),
      upstream_model: text(200)
        .optional()
        .describe('the name of the model at the vendor; absent: the one of the catalog'),
    }),
  )
  .min(1)
  .max(MODELS_MAX)
  .describe('the models that requests reach through the connection; the first one is asked in tests');

const name = text(64).describe('unique in the project; lower-case letters, digits and `. _ -`');
const mode = z
  .enum(connectionModes)
  .describe('`prefer`: the routes of the installation follow when the connection fails; `only`: they do not');

/** `POST /projects/{id}/connections` */
export const createConnectionBody = z.strictObject({
  name,
  mode: mode.default('prefer'),
  ...settings,
  keys: keys.optional(),
  headers: headers.optional(),
  models,
});

/** `PATCH /projects/{id}/connections/{connection_id}`: absent fields keep their values; null removes a setting. */
export const updateConnectionBody = z.strictObject({
  name: name.optional(),
  mode: mode.optional(),
  preset: settings.preset.nullable(),
  wire: settings.wire.nullable(),
  base_url: settings.base_url.nullable(),
  auth: settings.auth.nullable(),
  timeouts: settings.timeouts.nullable(),
  keys: keys.optional(),
  headers: headers.optional(),
  models: models.optional(),
});

export const listConnectionsQuery = pageQuery(50, 200);

/** Answer record of a connection; it has no secret. */
export const connectionSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  name: z.string(),
  mode: z.enum(connectionModes),
  preset: z.string().optional(),
  wire: z.string().optional(),
  base_url: z.string().optional(),
  auth: auth.optional(),
  timeouts: timeouts.optional(),
  keys: z.array(
    z.object({
      id: z.string().optional(),
      last_four: z.string().describe('the end of the secret; empty for a short one'),
      access_key_id: z.string().optional(),
      weight: z.int(),
    }),
  ),
  header_names: z.array(z.string()).describe('the names of the headers, without their values'),
  models: z.array(z.object({ model: z.string(), upstream_model: z.string() })),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const connectionResponse = z.object({ connection: connectionSchema });
export const listConnectionsResponse = z.object({
  connections: z.array(connectionSchema),
  next_cursor: z.string().optional(),
});
export const testConnectionResponse = z.object({
  status: z.enum(['success', 'error']),
  response_status: z.int().nullable().describe('HTTP status of the vendor’s refusal'),
  latency_ms: z.int(),
  error: z.string().nullable().describe('in the vendor’s words, if it sent any'),
});
