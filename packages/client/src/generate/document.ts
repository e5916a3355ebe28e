// The parts of an OpenAPI document that the generator reads.

export interface OpenApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks?: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

export interface ApiOperation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content } | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Schema;
}

export interface Reference {
  $ref: string;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  format?: string;
}

export function readParameters({ parameters = [] }: ApiOperation, document: OpenApiDocument): Parameter[] {
  return parameters.map((each) => {
    if (!('$ref' in each)) return each;
    const found = document.components.parameters?.[lastSegment(each.$ref)];
    if (!found) throw new Error(`the document has no ${each.$ref}`);
    return found;
  });
}

/** Returns the schema itself behind a reference. */
export function resolveSchema(schema: Schema | undefined, document: OpenApiDocument): Schema | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[lastSegment(schema.$ref)];
}

export function lastSegment(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
