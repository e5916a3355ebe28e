import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from './document.js';

const HEADER = '// Generated from the OpenAPI document by openapi-typescript. Do not edit.\n';

/** Writes the types of the document. Members of a request that have a default are optional. */
export async function writeSchema(document: OpenApiDocument): Promise<string> {
  const tree = await openapiTypescript(JSON.stringify(document), { defaultNonNullable: false, silent: true });
  return `${HEADER}${astToString(tree)}`;
}
