import { describeOperation, type Method } from './describe-operation.js';
import { lastSegment, type OpenApiDocument } from './document.js';

const HEADER = `// Generated from the OpenAPI document. Do not edit: \`npx pnpm --filter @tollgate/client run generate-core\`.
import type { Caller, EventStream } from '../core/caller.js';
import type { Answer, Body, EventIn, Query } from '../core/operation-types.js';
import type { PageItem, Pages } from '../core/pages.js';
import { fillPath, withField } from '../core/request.js';
import type { CallOptions } from '../core/settings.js';
import type { components } from './schema.js';
`;

/** Writes one method per operation, and the union of the webhook events. */
export function writeOperations(document: OpenApiDocument): string {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(
      ([httpMethod, operation]) => describeOperation(path, httpMethod, operation, document) ?? [],
    ),
  );
  const bodies = methods.sort((a, b) => (a.id < b.id ? -1 : 1)).flatMap(writeMethods);
  return `${HEADER}
${writeWebhookEvent(document)}
/** One method per operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

${bodies.join('\n')}}
`;
}

/** A method for the plain answer, one for the streamed answer, or both. */
function writeMethods(method: Method): string[] {
  return [
    ...(method.answer ? [method.pages ? writePages(method, method.pages) : writeCall(method, method.answer)] : []),
    ...(method.stream ? [writeStream(method, method.stream)] : []),
  ];
}

function writeCall(method: Method, answer: NonNullable<Method['answer']>): string {
  const type = toAnswerType(method, answer);
  const omitted = method.stream ? toStreamableType(method) : undefined;
  const text = `return this.caller.call(${writeRequest(method)}, options);`;
  return write(method, { name: method.id, parameterList: parameters(method, omitted), type: `Promise<${type}>`, text });
}

function writePages(method: Method, { member, position }: NonNullable<Method['pages']>): string {
  const page = `Answer<'${method.id}', ${method.answer?.status}>`;
  const text = `return this.caller.pages<${page}, '${member}'>(${writeRequest(method)}, '${member}', '${position}', options);`;
  const type = `Pages<${page}, PageItem<${page}, '${member}'>>`;
  return write(method, { name: method.id, parameterList: parameters(method), type, text });
}

function writeStream(method: Method, media: string): string {
  const name = method.answer ? `${method.id}Stream` : method.id;
  const text = `return this.caller.stream(${writeRequest(method, media, writeStreamedBody(method))}, options);`;
  const type = `EventStream<EventIn<'${method.id}', '${media}'>>`;
  return write(method, { name, parameterList: parameters(method, toStreamableType(method)), type, text });
}

/** The method decides about the field, so the caller leaves it out. */
function toStreamableType({ id, streamField }: Method): string | undefined {
  return streamField?.value === true ? `Omit<Body<'${id}'>, 'stream'>` : undefined;
}

function writeStreamedBody({ body, streamField }: Method): string | undefined {
  if (!streamField) return undefined;
  const { name, value } = streamField;
  if (body === 'form') return `withField(body, '${name}', '${value}')`;
  return `{ ...body, ${name}: ${value === true ? value : `'${value}'`} }`;
}

interface Written {
  name: string;
  parameterList: string[];
  /** Of the answer. */
  type: string;
  /** The statement of the body. */
  text: string;
}

function write(method: Method, { name, parameterList, type, text }: Written): string {
  const sentences = [method.summary.replace(/\.?$/, '.'), name === method.id ? '' : 'The answer is streamed.'];
  const summary = sentences
    .filter((each) => each !== '')
    .join(' ')
    .replaceAll('*/', '* /');
  const list = parameterList.join(', ');
  return `  /** ${summary} */\n  ${name}(${list}): ${type} {\n    ${text}\n  }\n`;
}

function parameters(method: Method, bodyType = `Body<'${method.id}'>`): string[] {
  const { pathNames, body, query, id } = method;
  return [
    ...pathNames.map((name) => `${toParameterName(method, name)}: string`),
    ...(body === 'form' ? ['body: FormData'] : []),
    ...(body === 'required' ? [`body: ${bodyType}`] : []),
    ...(query === 'required' ? [`query: Query<'${id}'>`] : []),
    ...(body === 'optional' ? [`body?: ${bodyType}`] : []),
    ...(query === 'optional' ? [`query?: Query<'${id}'>`] : []),
    'options?: CallOptions',
  ];
}

/** `id` is that of a project where the path says so, which reads better beside other ids. */
function toParameterName({ path }: Method, name: string): string {
  const named = name === 'id' && path.includes('/projects/{id}/') ? 'project_id' : name;
  return named.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function writeRequest(method: Method, media?: string, body?: string): string {
  const { pathNames, path } = method;
  const names = pathNames.map((name) => toParameterName(method, name));
  const filled = names.length === 0 ? `'${path}'` : `fillPath('${path}', [${names.join(', ')}])`;
  const parts = [`method: '${method.httpMethod}'`, names.length === 0 ? `path: ${filled}` : `path: ${filled}`];
  if (method.query !== 'none') parts.push('query');
  if (method.body !== 'none') parts.push(body === undefined ? 'body' : `body: ${body}`);
  if (method.keyIn) parts.push(`keyIn: '${method.keyIn}'`);
  if (media !== undefined) parts.push(`accept: '${media}'`);
  else if (isMediaFile(method)) parts.push("accept: '*/*'");
  return `{ ${parts.join(', ')} }`;
}

function isMediaFile({ answer }: Method): boolean {
  return answer?.media.some((each) => each.endsWith('/*')) ?? false;
}

function toAnswerType({ id }: Method, { status, media }: NonNullable<Method['answer']>): string {
  if (media.length === 0) return 'void';
  return media
    .map((each) => {
      if (each === 'application/json') return `Answer<'${id}', ${status}>`;
      return each.startsWith('text/') ? 'string' : 'Blob';
    })
    .join(' | ');
}

function writeWebhookEvent({ webhooks = {} }: OpenApiDocument): string {
  const names = Object.values(webhooks).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody }) => {
      const reference = requestBody?.content['application/json']?.schema?.$ref;
      return reference === undefined ? [] : [lastSegment(reference)];
    }),
  );
  const types = names.sort().map((name) => `  | components['schemas']['${name}']`);
  return `/** What a webhook delivers; branch on \`event_type\`. */\nexport type WebhookEvent =\n${types.join('\n')};\n`;
}
