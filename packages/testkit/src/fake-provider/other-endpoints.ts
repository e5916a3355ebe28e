import { countSandboxTokens } from '@tollgate/catalog';

/** Answer of `GET /models`. */
export function modelsBody(models: readonly string[]): object {
  return {
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'fake' })),
  };
}

const DIMENSIONS = 8;

interface EmbeddingsRequest {
  model: string;
  input: string | string[] | number[] | number[][];
  encoding_format?: string;
  dimensions?: number;
}

/** Answer of `POST /embeddings`: the same short vector for the same text. */
export function embeddingsBody(body: EmbeddingsRequest): { body: object; inputTokens: number } {
  const texts = toTexts(body.input);
  const dimensions = body.dimensions ?? DIMENSIONS;
  const inputTokens = texts.reduce((total, text) => total + countSandboxTokens(text), 0);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: body.encoding_format === 'base64' ? toBase64(toVector(text, dimensions)) : toVector(text, dimensions),
  }));
  return {
    body: { object: 'list', model: body.model, data, usage: { prompt_tokens: inputTokens, total_tokens: inputTokens } },
    inputTokens,
  };
}

const ONE_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Answer of `POST /images/generations`: one-pixel PNGs. */
export function imagesBody(body: { n?: number; prompt: string }, createdAtSeconds: number): object {
  return {
    created: createdAtSeconds,
    data: Array.from({ length: body.n ?? 1 }, () => ({ b64_json: ONE_PIXEL_PNG })),
    usage: {
      input_tokens: countSandboxTokens(body.prompt),
      output_tokens: 0,
      total_tokens: countSandboxTokens(body.prompt),
    },
  };
}

/** Error body of any endpoint, with the vendor's message where it has one. */
export function errorBody(status: number, message?: string): object {
  const [type, code, text] = errorKinds[status] ?? [
    'server_error',
    null,
    'The server had an error while processing your request.',
  ];
  return { error: { message: message ?? text, type, param: null, code } };
}

const errorKinds: Record<number, [type: string, code: string | null, message: string]> = {
  400: ['invalid_request_error', null, 'We could not parse the JSON body of your request.'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  402: [
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached for requests.'],
};

/** Token lists count as given: the fake has no vocabulary. */
function toTexts(input: EmbeddingsRequest['input']): string[] {
  if (typeof input === 'string') return [input];
  if (typeof input[0] === 'number') return [(input as number[]).join(' ')];
  return (input as (string | number[])[]).map((each) => (typeof each === 'string' ? each : each.join(' ')));
}

function toVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const [index, byte] of Buffer.from(text, 'utf8').entries()) vector[index % dimensions]! += byte / 255;
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function toBase64(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
