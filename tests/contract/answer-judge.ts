// Judges whether an answer conforms to the OpenAPI document.
import type { ApiResponse, Json } from '@tollgate/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../system/api-document.js';
import { nativeErrorFaults } from '../system/native-error.js';

/**
 * Codes of 503 answers that the behavior of a third party causes, which a request may provoke. Every other 5xx is a fault of
 * the service, although the document has to list it.
 */
const FOREIGN_FAULTS = new Set(['HOOK_FAILED']);

export const NDJSON = 'application/x-ndjson';
export const SSE = 'text/event-stream';

/** Returns the faults of an answer; empty if it conforms. */
export type AnswerJudge = (operation: Operation, answer: ApiResponse) => string[];

export function answerJudge(document: Json): AnswerJudge {
  const findValidator = schemaValidators(document);
  return ({ responses }, answer) => {
    const { status, text, body, headers } = answer;
    const promised = responses[status];
    if (!promised) return [`status ${status} is not documented: ${text.slice(0, 300)}`];
    if (status >= 500 && !FOREIGN_FAULTS.has(body?.code)) return [`${status}: ${text}`];
    if (!promised.content) return text === '' ? [] : [`${status} with content: ${text.slice(0, 300)}`];
    const given = String(headers['content-type'] ?? '').split(';')[0] as string;
    const type = Object.keys(promised.content).find(
      (one) => one === given || (one.endsWith('*') && given.startsWith(one.slice(0, -1))),
    );
    if (type === undefined) return [`${status} with content type ${given || 'none'}: ${text.slice(0, 300)}`];
    const { schema } = promised.content[type];
    const fault = documentsIn(type, text)
      .map((document) => documentFault(document, schema && findValidator(schema)))
      .find((each) => each !== undefined);
    if (fault !== undefined) return [`${status} ${fault}`];
    return schema?.$ref?.endsWith('/ApiError') ? nativeErrorFaults(answer) : [];
  };
}

/** Splits an answer into JSON texts: its whole body, its lines, or the data of its events. */
function documentsIn(type: string, text: string): string[] {
  switch (type) {
    case 'application/json':
      return [text];
    case NDJSON:
      return text.split('\n').filter((line) => line !== '');
    case SSE:
      return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) => (data === '[DONE]' ? [] : data));
    default:
      return [];
  }
}

function documentFault(text: string, validate: ValidateFunction | undefined): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `is not JSON: ${text.slice(0, 300)}`;
  }
  if (!validate || validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `does not fit: ${error?.instancePath} ${error?.message}: ${text.slice(0, 300)}`;
}

/** Schemas of the document point to its components. Members that the document does not name are faults here, not for clients. */
function schemaValidators(document: Json): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(closed({ components: { schemas: document.components.schemas } }), 'document');
  const validators = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validator);
    return validator;
  };
}

/** Returns a copy whose objects permit only the members that they name, unless they say otherwise. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isObject = [value.type].flat().includes('object') && typeof value.properties === 'object';
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
