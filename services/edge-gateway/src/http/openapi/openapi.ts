import type { RouteDoc } from '../exchange/route-doc.js';
import { templatePath } from '../paths.js';
import { addExamples } from './examples/add-examples.js';
import { type AnswerComponents, headerComponents } from './openapi-answers.js';
import { describeOperation } from './operation.js';
import { toOperationId, toUniqueId } from './operation-id.js';
import { parameterComponents } from './parameters.js';
import { finishSchemas } from './schemas/finish-schemas.js';
import { schemaWriter } from './schemas/schema-writer.js';
import { describeTags } from './tags.js';
import { describeWebhooks } from './webhook-docs.js';

type Json = Record<string, unknown>;

const DESCRIPTION = [
  'AI model requests, and billing for the customers who make them.',
  'Ids are UUIDs, times are RFC 3339, and amounts are whole cents or microcents (a millionth of a cent), as their names say.',
  'Texts contain no NUL. Clients ignore members and events that they do not know: answers may get more of them.',
].join(' ');

/** Returns the OpenAPI 3.1 document of the routes, derived from the schemas that validate them. */
export function openApiDocument(routes: readonly RouteDoc[], serverUrl = '/'): Json {
  const writer = schemaWriter();
  const responses: AnswerComponents = {};
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const path = templatePath(route.path);
    const id = toUniqueId(toOperationId(route), ids);
    const operation = describeOperation(route, id, responses, writer);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const webhooks = describeWebhooks(writer);
  const { document, schemas } = finishSchemas({ paths, webhooks, responses }, writer.components);
  return addExamples({
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this gateway' },
    },
    servers: [{ url: serverUrl, description: 'This gateway' }],
    tags: describeTags(new Set(['Webhooks', ...routes.map(({ tag }) => tag)])),
    paths: document.paths,
    webhooks: document.webhooks,
    components: {
      schemas,
      responses: document.responses,
      parameters: parameterComponents,
      headers: headerComponents,
      securitySchemes,
    },
  });
}

const bearer = (description: string): Json => ({ type: 'http', scheme: 'bearer', description });

const securitySchemes: Json = {
  secretKey: bearer('A secret key; also accepted in the header X-Service-Api-Key.'),
  publishableKey: bearer('A publishable key; also accepted in the header X-Service-Api-Key.'),
  customerToken: bearer('A customer token from POST /auth/customer-token.'),
  accessToken: bearer('An access token of an owner’s session.'),
};
