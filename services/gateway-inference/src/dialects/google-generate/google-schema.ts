type Schema = Record<string, unknown>;

/** Bounds that are JSON strings of 64-bit integers in the vendor's form. */
const integerBounds = new Set(['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties']);
/** Members of the vendor's form that JSON Schema does not have. */
const ownMembers = new Set(['example', 'nullable', 'propertyOrdering']);

/**
 * Converts a schema of the vendor's own form (types in capitals, `nullable`) to JSON Schema.
 *
 * Source: `Schema` of `@google/genai` 3.1, a subset of OpenAPI 3.0.
 */
export function toJsonSchema(schema: Readonly<Schema>): Schema {
  const converted: Schema = {};
  for (const [member, value] of Object.entries(schema)) {
    // Assigning `__proto__` would change the object's prototype instead of adding a member.
    if (ownMembers.has(member) || member === '__proto__') continue;
    const written = toMember(member, value);
    if (written !== undefined) converted[member] = written;
  }
  return schema.nullable === true ? nullable(converted) : converted;
}

function toMember(member: string, value: unknown): unknown {
  if (member === 'type') return toType(value);
  if (member === 'properties') return isSchema(value) ? toSchemas(value) : undefined;
  if (member === 'anyOf') return Array.isArray(value) ? value.map(toAny) : undefined;
  if (member === 'items') return toAny(value);
  return integerBounds.has(member) ? Number(value) : value;
}

function toType(type: unknown): string | undefined {
  return typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined;
}

function toSchemas(schemas: Schema): Schema {
  const entries = Object.entries(schemas).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(entries.map(([name, schema]) => [name, toAny(schema)]));
}

function toAny(schema: unknown): unknown {
  return isSchema(schema) ? toJsonSchema(schema) : schema;
}

function nullable(schema: Schema): Schema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string') return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
