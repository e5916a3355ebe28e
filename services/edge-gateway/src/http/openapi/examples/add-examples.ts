import type { JsonObject } from '@tollgate/runtime';
import { refName, type Schema, type Schemas } from '../schemas/schema.js';
import { buildExample } from './example-builder.js';

type Content = Record<string, { schema?: Schema; example?: unknown; examples?: JsonObject }>;

interface Document extends JsonObject {
  paths: JsonObject;
  webhooks: JsonObject;
  components: { schemas: Schemas; responses: JsonObject; [kind: string]: unknown };
}

/** Adds an example to every body of the document. Bodies with a named schema share one component. */
export function addExamples(document: JsonObject): JsonObject {
  const { paths, webhooks, components } = document as Document;
  const examples: JsonObject = {};
  const add = (content: Content | undefined, isRequest: boolean): void => {
    for (const form of Object.values(content ?? {})) {
      if (!form.schema || form.schema.format === 'binary' || form.example !== undefined) continue;
      const name = refName(form.schema);
      const value = buildExample(form.schema, components.schemas, isRequest);
      if (name === undefined) form.example = value;
      else {
        examples[name] ??= { value };
        form.examples = { default: { $ref: `#/components/examples/${name}` } };
      }
    }
  };
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((path) =>
    Object.values(path as JsonObject),
  );
  for (const { requestBody, responses } of operations as OperationJson[]) {
    add(requestBody?.content, true);
    for (const { content } of Object.values(responses)) add(content, false);
  }
  for (const { content } of Object.values(components.responses) as { content?: Content }[]) add(content, false);
  return { ...document, components: { ...components, examples } };
}

interface OperationJson {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
