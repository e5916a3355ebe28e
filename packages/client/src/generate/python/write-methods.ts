import { describeOperation, type Method } from '../describe-operation.js';
import { type ApiOperation, type OpenApiDocument, type Parameter, readParameters, resolveSchema } from '../document.js';
import { toAnnotation, toPythonName, toText } from './write-types.js';

/** The parts in which the client and the asynchronous client differ. */
interface Flavor {
  prefix: '' | 'Async';
  module: '_caller' | '_async_caller';
  define: 'def' | 'async def';
  wait: '' | 'await ';
}

const FLAVORS = {
  sync: { prefix: '', module: '_caller', define: 'def', wait: '' },
  async: { prefix: 'Async', module: '_async_caller', define: 'async def', wait: 'await ' },
} as const satisfies Record<string, Flavor>;

function writeHeader({ prefix, module }: Flavor): string {
  return `"""The methods of the client. Generated from the OpenAPI document. Do not edit: pnpm --filter @tollgate/client run generate-core."""

from __future__ import annotations

from typing import Literal, cast

from . import types
from .${module} import ${prefix}Caller, ${prefix}EventStream
from ._pages import ${prefix}Pages
from ._request import ApiRequest, CallOptions, Form, fill_path


class ${prefix}Operations:
    """One method per operation of the API."""

    def __init__(self, caller: ${prefix}Caller) -> None:
        self._caller = caller
`;
}

interface Operation extends Method {
  source: ApiOperation;
  document: OpenApiDocument;
  queryParameters: Parameter[];
}

/** Writes one method per operation; two where the answer may be streamed. */
export function writePythonMethods(document: OpenApiDocument, flavorName: keyof typeof FLAVORS): string {
  const flavor = FLAVORS[flavorName];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([httpMethod, source]) => {
      const method = describeOperation(path, httpMethod, source, document);
      const queryParameters = readParameters(source, document).filter((each) => each.in === 'query');
      return method ? [{ ...method, source, document, queryParameters }] : [];
    }),
  );
  return `${writeHeader(flavor)}${operations
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((each) => writeMethods(each, flavor))
    .join('')}`;
}

function writeMethods(operation: Operation, { prefix, define, wait }: Flavor): string[] {
  const { answer, pages, stream, id } = operation;
  const written: string[] = [];
  if (answer && pages) {
    const type = `${prefix}Pages[${toAnswerType(operation)}, ${toItemType(operation, pages.member)}]`;
    const position = `"${pages.member}", "${pages.position}"`;
    const text = `${prefix}Pages(self._caller, ${writeRequest(operation)}, ${position}, options)`;
    written.push(writeMethod(operation, { define: 'def', name: id, type, text }));
  } else if (answer) {
    const type = toAnswerType(operation);
    const text = `cast(${toText(type)}, ${wait}self._caller.call(${writeRequest(operation)}, options))`;
    written.push(writeMethod(operation, { define, name: id, type, text }));
  }
  if (stream !== undefined) {
    const event = toAnnotation(findContent(operation, 200)?.[stream]?.schema, 'types.');
    const name = answer ? `${id}Stream` : id;
    const text = `self._caller.stream(${writeRequest(operation, stream)}, options)`;
    written.push(writeMethod(operation, { define: 'def', name, type: `${prefix}EventStream[${event}]`, text }));
  }
  return written;
}

interface MethodText {
  define: Flavor['define'];
  name: string;
  /** The type of its value. */
  type: string;
  /** The expression of its value. */
  text: string;
}

function writeMethod(operation: Operation, { define, name, type, text }: MethodText): string {
  const sentences = [operation.summary.replace(/\.?$/, '.'), name === operation.id ? '' : 'The answer is streamed.'];
  const summary = sentences.filter((each) => each !== '').join(' ');
  const parameters = writeParameters(operation).map((each) => `        ${each},\n`);
  return `
    ${define} ${toSnakeCase(name)}(
${parameters.join('')}    ) -> ${type}:
        """${summary.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""
        return ${text}
`;
}

function writeParameters(operation: Operation): string[] {
  const { pathNames, body, source, queryParameters } = operation;
  const bodyType = toAnnotation(source.requestBody?.content['application/json']?.schema, 'types.');
  const query = queryParameters.map(({ name, required, schema }) => {
    const type = toAnnotation(schema, 'types.');
    return `${toKeyword(name)}: ${required ? type : `${type} | None = None`}`;
  });
  return [
    'self',
    ...pathNames.map((name) => `${toPathName(operation, name)}: str`),
    ...(body === 'required' ? [`body: ${bodyType}`] : []),
    ...(body === 'optional' ? [`body: ${bodyType} | None = None`] : []),
    ...(body === 'form' ? ['form: Form'] : []),
    '*',
    ...query,
    'options: CallOptions | None = None',
  ];
}

function writeRequest(operation: Operation, media?: string): string {
  const { httpMethod, path, pathNames, body, streamField, keyIn, answer, queryParameters } = operation;
  const names = pathNames.map((name) => toPathName(operation, name));
  const parts = [
    toText(httpMethod),
    names.length === 0 ? toText(path) : `fill_path(${toText(path)}, ${names.join(', ')})`,
  ];
  if (queryParameters.length > 0) {
    parts.push(`query={${queryParameters.map(({ name }) => `${toText(name)}: ${toKeyword(name)}`).join(', ')}}`);
  }
  const name = body === 'form' ? 'form' : 'body';
  const { value } = streamField ?? {};
  const added = streamField && `${toText(streamField.name)}: ${value === true ? 'True' : toText(String(value))}`;
  if (body !== 'none') parts.push(media && added ? `${name}={**${name}, ${added}}` : `${name}=${name}`);
  if (keyIn) parts.push(`key_in="${keyIn}"`);
  if (media !== undefined) parts.push(`accept="${media}"`);
  else if (answer?.media.some((each) => each.endsWith('/*'))) parts.push('accept="*/*"');
  return `ApiRequest(${parts.join(', ')})`;
}

function toAnswerType(operation: Operation): string {
  const { answer } = operation;
  if (!answer || answer.media.length === 0) return 'None';
  const content = findContent(operation, answer.status) ?? {};
  const types = answer.media.map((media) => {
    if (media === 'application/json') return toAnnotation(content[media]?.schema, 'types.');
    return media.startsWith('text/') ? 'str' : 'bytes';
  });
  return [...new Set(types)].join(' | ');
}

function toItemType(operation: Operation, member: string): string {
  const { answer, document } = operation;
  const page = resolveSchema(findContent(operation, answer?.status ?? 200)?.['application/json']?.schema, document);
  return toAnnotation(resolveSchema(page?.properties?.[member], document)?.items, 'types.');
}

function findContent({ source }: Operation, status: number) {
  const response = source.responses[String(status)];
  return response && 'content' in response ? response.content : undefined;
}

/** `id` is that of a project where the path says so, which reads better beside other ids. */
function toPathName({ path }: Operation, name: string): string {
  return name === 'id' && path.includes('/projects/{id}/') ? 'project_id' : toKeyword(name);
}

function toKeyword(name: string): string {
  return toPythonName(toSnakeCase(name));
}

export function toSnakeCase(name: string): string {
  return name
    .replaceAll('OAuth', 'Oauth')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
