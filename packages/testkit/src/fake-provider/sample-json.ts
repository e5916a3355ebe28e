/** The parts of JSON Schema that shape a sample. */
export interface SampleSchema {
  type?: string | string[];
  properties?: Record<string, SampleSchema>;
  required?: string[];
  items?: SampleSchema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: SampleSchema[];
  minItems?: number;
}

const DEPTH_MAX = 16;

/** The same small document for the same schema, conforming to its common parts. */
export function createSample(schema: SampleSchema | undefined, depth = 0): unknown {
  if (!schema || depth > DEPTH_MAX) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf?.length) return createSample(schema.anyOf[0], depth + 1);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return 'sample';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => createSample(schema.items, depth + 1));
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, createSample(property, depth + 1)]),
      );
  }
}
