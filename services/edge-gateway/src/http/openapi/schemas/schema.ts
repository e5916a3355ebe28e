/** A JSON Schema of the document, with the keywords that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  [keyword: string]: unknown;
}

/** Schemas of the document by name. */
export type Schemas = Record<string, Schema>;

const COMPONENTS = '#/components/schemas/';

export function refTo(name: string): Schema {
  return { $ref: `${COMPONENTS}${name}` };
}

/** Returns the name of the component that the schema refers to. */
export function refName({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : undefined;
}

/** Returns the schema itself, or the component that it refers to. */
export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  const name = refName(schema);
  const target = name === undefined ? undefined : schemas[name];
  return target ? resolveSchema(target, schemas) : schema;
}

/** Returns a copy whose direct subschemas are replaced. `name` is that of the property, for properties. */
export function mapSubschemas(schema: Schema, change: (child: Schema, name?: string) => Schema): Schema {
  const copy: Schema = { ...schema };
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, child]) => [name, change(child, name)]);
    copy.properties = Object.fromEntries(entries);
  }
  for (const keyword of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const child = schema[keyword];
    if (typeof child === 'object') copy[keyword] = change(child);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    if (schema[keyword]) copy[keyword] = schema[keyword].map((child) => change(child));
  }
  return copy;
}

/** `node_output-delta` → `NodeOutputDelta` */
export function toPascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
