import type { JsonObject } from '@tollgate/runtime';
import type { RouteDoc } from '../exchange/route-doc.js';
import { hostPath } from '../paths.js';
import { resolveSchema, type Schema } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

/** Headers that several operations accept. */
export const parameterComponents: Record<string, JsonObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key ' +
      'is generated to its end, and charged in full, when its client leaves: the repeat gets the answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ServiceCache: {
    name: 'X-Service-Cache',
    in: 'header',
    required: false,
    description:
      'Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
  ServiceCustomerId: {
    name: 'X-Service-Customer-Id',
    in: 'header',
    required: false,
    description: 'With a secret key: acts for this customer of the project, who is charged.',
    schema: { type: 'string', format: 'uuid' },
  },
};

/** Returns the parameters of a route: those of the path, of the query, and headers. */
export function describeParameters(route: RouteDoc, writer: SchemaWriter): JsonObject[] {
  const headers = [
    ...(namesCustomer(route) ? ['ServiceCustomerId'] : []),
    ...(route.idempotent || route.forwardsIdempotencyKey === true ? ['IdempotencyKey'] : []),
    ...(route.cacheable ? ['ServiceCache'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inPath(route, writer), ...inQuery(route, writer), ...headers];
}

/** Whether X-Service-Customer-Id names a customer of this route. */
export function namesCustomer({ auth, ownerActsAsKey }: RouteDoc): boolean {
  return auth !== 'none' && (auth.includes('secret_key') || ownerActsAsKey === true);
}

function inPath(route: RouteDoc, writer: SchemaWriter): JsonObject[] {
  const segments = hostPath(route.path).split('/');
  const { properties = {} } = route.params ? readRoot(route.params, writer) : {};
  return segments.flatMap((segment, at) => {
    const [, name] = /^:(\w+)/.exec(segment) ?? [];
    if (name === undefined) return [];
    return {
      name,
      in: 'path',
      required: true,
      description: describePathParameter(name, segments[at - 1] ?? ''),
      // A path with an empty segment is another path.
      schema: { minLength: 1, ...(properties[name] ?? { type: 'string' }) },
    };
  });
}

/** `customers`, `id` → “The id of the customer” */
function describePathParameter(name: string, before: string): string {
  const resource = before.replace(/s$/, '').replaceAll('-', ' ');
  if (name === 'id' || name.endsWith('_id')) return `The id of the ${resource}`;
  return `The ${name.replaceAll('_', ' ')}${resource === '' ? '' : ` of the ${resource}`}`;
}

const QUERY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'At most this many entries',
  offset: 'Skips this many entries; `next_cursor` of a page is the offset of the next one',
};

function inQuery(route: RouteDoc, writer: SchemaWriter): JsonObject[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = readRoot(route.query, writer);
  return Object.entries(properties).map(([name, { description = QUERY_DESCRIPTIONS[name], ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** Parameters are members of a schema that is no component itself. */
function readRoot(schema: NonNullable<RouteDoc['query']>, writer: SchemaWriter): Schema {
  return resolveSchema(writer.write(schema, 'input'), writer.components);
}
