// Lists where an OpenAPI document does not serve the authors of clients.
import type { Json } from '@tollgate/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { resolve } from '../system/api-document.js';

/** Unions whose members differ by the request, or by which of their own fields are present. */
const UNDISCRIMINATED = [
  // The client's library decides: OpenAI's shape or Anthropic's.
  /OpenAi\w+ Anthropic\w+$/,
  // An error of the stream instead of a chunk or an event.
  /^(ChatCompletionChunk|Completion|SpeechEventType|TranscriptEventType) OpenAiError$/,
  /^GoogleGenerateResult GoogleError$/,
  /^ApiError DeviceTokenError$/,
];
/** Parts of vendors' formats and of workflow specs that no property distinguishes, or whose `type` is any text. */
const UNDISCRIMINATED_SCHEMAS =
  /^(Messages(AddedTool|AssistantBlock|Tool|UserBlock)|(Expanded)?Responses(Input)?Item|UpdateEvent|WorkflowSpec\w+)$/;

/** Sentences about operations, schemas and tags that lack something, each with its name. */
export function findDocumentFaults(document: Json): string[] {
  return [
    ...listDocumented(document).flatMap(({ name, operation }) => findOperationFaults(document, name, operation)),
    ...Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) =>
      findSchemaFaults(document, name, schema),
    ),
    ...findTagFaults(document),
    ...findExampleFaults(document),
    ...(Object.keys(document.webhooks ?? {}).length === 0 ? ['the document has no webhooks'] : []),
  ];
}

function listDocumented(document: Json): { name: string; operation: Json }[] {
  return [document.paths, document.webhooks ?? {}].flatMap((paths: Json) =>
    Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    ),
  );
}

function findOperationFaults(document: Json, name: string, operation: Json): string[] {
  const { operationId, description = '', requestBody, responses, parameters = [], security = [] } = operation;
  const headers = parameters.map((one: Json) => resolve(document, one).name);
  const contents = [requestBody, ...Object.values<Json>(responses).map((one) => resolve(document, one))].flatMap(
    (one) => Object.entries<Json>(one?.content ?? {}),
  );
  const takesKey = security.some((one: Json) => 'secretKey' in one);
  const faults = [
    !/^[a-z]+[A-Z]?[A-Za-z]*$/.test(operationId) && `operation id ${operationId}`,
    String(description).length < 20 && 'no description',
    contents.some(([, { schema }]) => schema === undefined) && 'a body without a schema',
    contents.some(([, form]) => !hasExample(form)) && 'a body without an example',
    contents.some(([type, { schema }]) => type === 'application/json' && !isNamed(schema)) &&
      'a body whose schema has no name',
    Object.keys(responses).every((status) => !/^[45]/.test(status)) && 'no errors',
    takesKey && !headers.includes('X-Service-Customer-Id') && 'no header X-Service-Customer-Id',
  ];
  return faults.filter((fault) => typeof fault === 'string').map((fault) => `${name}: ${fault}`);
}

function hasExample({ schema, example, examples }: Json): boolean {
  return example !== undefined || examples !== undefined || schema?.format === 'binary';
}

/** Forms of one answer may be a union of named schemas; a list or a text needs no name. */
function isNamed(schema: Json): boolean {
  if (schema?.anyOf) return schema.anyOf.every(isNamed);
  return typeof schema?.$ref === 'string' || (schema?.type !== 'object' && schema?.oneOf === undefined);
}

function findSchemaFaults(document: Json, name: string, schema: Json): string[] {
  const faults: string[] = [];
  if (/^Schema\d|^Recursive/.test(name)) faults.push(`schema ${name} has no name`);
  visit(schema, (part) => {
    const members: Json[] = part.oneOf ?? part.anyOf ?? [];
    const objects = members.filter((member) => isObject(document, member));
    const names = objects.map((member) => member.$ref?.split('/').at(-1)).join(' ');
    const isKnown = UNDISCRIMINATED_SCHEMAS.test(name) || UNDISCRIMINATED.some((pattern) => pattern.test(names));
    if (objects.length > 1 && !part.discriminator && !isKnown)
      faults.push(`schema ${name}: a union without discriminator`);
    for (const [property, { type }] of Object.entries<Json>(part.properties ?? {})) {
      if (type === 'null') faults.push(`schema ${name}: ${property} can only be null`);
    }
  });
  return faults;
}

function isObject(document: Json, member: Json): boolean {
  const schema = resolve(document, member);
  const forms: Json[] | undefined = schema.oneOf ?? schema.anyOf;
  return forms ? forms.every((form) => isObject(document, form)) : schema.type === 'object';
}

function visit(schema: Json, see: (part: Json) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  see(schema);
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const part of [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf, ...allOf])
    visit(part, see);
}

function findTagFaults(document: Json): string[] {
  const described = new Set(
    (document.tags ?? []).filter(({ description }: Json) => description).map(({ name }: Json) => name),
  );
  const used = new Set(listDocumented(document).flatMap(({ operation }) => operation.tags as string[]));
  return [...used].filter((tag) => !described.has(tag)).map((tag) => `tag ${tag} has no description`);
}

/** Examples of named schemas are components with the schema's name. */
function findExampleFaults(document: Json): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema({ components: { schemas: document.components.schemas } }, 'document');
  return Object.entries<Json>(document.components.examples ?? {}).flatMap(([name, { value }]) => {
    const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
    if (validate(value)) return [];
    const [error] = validate.errors ?? [];
    return [`example ${name}: ${error?.instancePath} ${error?.message}`];
  });
}
