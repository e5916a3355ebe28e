import { type ApiOperation, type OpenApiDocument, readParameters, resolveSchema } from './document.js';

/** An operation as a method of the client. */
export interface Method {
  id: string;
  httpMethod: string;
  path: string;
  summary: string;
  description: string;
  /** Names of the path's parameters, in its order. */
  pathNames: string[];
  query: 'none' | 'optional' | 'required';
  body: 'none' | 'optional' | 'required' | 'form';
  /** The field of the body that asks for the stream; undefined where only the accepted media type does. */
  streamField: StreamField | undefined;
  keyIn: 'header' | 'options' | undefined;
  /** Status of the plain answer, and its media types; undefined where every answer is streamed. */
  answer: { status: number; media: string[] } | undefined;
  /** Media type in which the client asks for the stream. */
  stream: string | undefined;
  /** Parameters that take `next_cursor`: a list with both takes an offset where it returned one. */
  pages: { member: string; position: PagePosition } | undefined;
}

export type StreamField = { name: 'stream'; value: true | 'true' } | { name: 'stream_format'; value: 'sse' };

type PagePosition = 'cursor' | 'offset' | 'cursor or offset';

/** For browsers and for the card processor. */
const NOT_FOR_CLIENTS = new Set(['completeOAuth', 'receiveStripeWebhook']);

const STREAMS = ['application/x-ndjson', 'text/event-stream'];

/** Returns undefined for pages and redirects, which are for browsers. */
export function describeOperation(
  path: string,
  httpMethod: string,
  operation: ApiOperation,
  document: OpenApiDocument,
): Method | undefined {
  const id = operation.operationId;
  const success = findSuccess(operation);
  if (!success || NOT_FOR_CLIENTS.has(id)) return undefined;
  const parameters = readParameters(operation, document);
  const query = parameters.filter((each) => each.in === 'query');
  const plain = success.media.filter((each) => !STREAMS.includes(each) && each !== 'text/html');
  const isEmpty = success.media.length === 0;
  return {
    id,
    httpMethod: httpMethod.toUpperCase(),
    path,
    summary: operation.summary ?? id,
    description: operation.description ?? '',
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
    query: query.length === 0 ? 'none' : query.some(({ required }) => required) ? 'required' : 'optional',
    body: describeBody(operation),
    streamField: findStreamField(operation, document),
    keyIn: findKey(
      operation,
      document,
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    ),
    answer: isEmpty || plain.length > 0 ? { status: success.status, media: plain } : undefined,
    stream: STREAMS.find((each) => success.media.includes(each)),
    pages: findPages(
      operation,
      success.status,
      query.map(({ name }) => name),
      document,
    ),
  };
}

function findSuccess({ responses }: ApiOperation): { status: number; media: string[] } | undefined {
  for (const [status, response] of Object.entries(responses)) {
    if (!/^2\d\d$/.test(status)) continue;
    const media = 'content' in response ? Object.keys(response.content ?? {}) : [];
    if (media.length > 0 && media.every((each) => each === 'text/html')) return undefined;
    return { status: Number(status), media };
  }
  return undefined;
}

function describeBody({ requestBody }: ApiOperation): Method['body'] {
  if (!requestBody) return 'none';
  if (!('application/json' in requestBody.content)) return 'form';
  return requestBody.required ? 'required' : 'optional';
}

function findStreamField({ requestBody }: ApiOperation, document: OpenApiDocument): StreamField | undefined {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const properties = resolveSchema((json ?? form)?.schema, document)?.properties ?? {};
  // Forms have text only.
  if (properties.stream) return { name: 'stream', value: json ? true : 'true' };
  return properties.stream_format ? { name: 'stream_format', value: 'sse' } : undefined;
}

function findKey(operation: ApiOperation, document: OpenApiDocument, isHeader: boolean): Method['keyIn'] {
  if (isHeader) return 'header';
  const body = resolveSchema(operation.requestBody?.content['application/json']?.schema, document);
  const options = resolveSchema(body?.properties?.options, document);
  return options?.properties?.idempotency_key ? 'options' : undefined;
}

/** A page has a `next_cursor` and one list. */
function findPages(
  { responses }: ApiOperation,
  status: number,
  queryNames: readonly string[],
  document: OpenApiDocument,
): Method['pages'] {
  const positions = ['cursor', 'offset'].filter((name) => queryNames.includes(name));
  const position = positions.join(' or ') as PagePosition | '';
  const response = responses[String(status)];
  const content = response && 'content' in response ? response.content : undefined;
  const properties = resolveSchema(content?.['application/json']?.schema, document)?.properties ?? {};
  const lists = Object.keys(properties).filter((name) => resolveSchema(properties[name], document)?.type === 'array');
  const [member] = lists;
  if (position === '' || !properties.next_cursor || lists.length !== 1 || member === undefined) return undefined;
  return { member, position };
}
