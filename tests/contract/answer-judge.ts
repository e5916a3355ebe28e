// Whether an answer is one that the OpenAPI document promises.
import type { ApiResponse, Json } from '@tollgate/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../system/api-document.js';
import { nativeErrorFaults } from '../system/native-error.js';

/**
 * Codes of 503 answers that somebody else's behaviour causes, which a request may provoke. Every other 5xx is a fault of
 * the service, although the document has to list it.
 */
const FOREIGN_FAULTS = new Set(['HOOK_FAILED']);

/** What is wrong with an answer; empty = nothing. */
export type AnswerJudge = (operation: Operation, answer: ApiResponse) => string[];

export function answerJudge(document: Json): AnswerJudge {
  const validatorOf = schemaValidators(document);
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
    if (type !== 'application/json' || !schema) return [];
    if (body === undefined) return [`${status} whose body is no JSON: ${text.slice(0, 300)}`];
    const validate = validatorOf(schema);
    const [error] = validate(body) ? [] : (validate.errors ?? []);
    if (error) return [`${status} does not fit: ${error.instancePath} ${error.message}: ${text.slice(0, 300)}`];
    return schema.$ref?.endsWith('/ApiError') ? nativeErrorFaults(answer) : [];
  };
}

/** Schemas of the document point to its components. */
function schemaValidators(document: Json): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validator);
    return validator;
  };
}
