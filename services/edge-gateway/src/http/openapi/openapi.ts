import type { JsonObject } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute, type Route } from '../exchange/route.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { templatePath } from '../paths.js';
import { addExamples } from './examples/add-examples.js';
import { type AnswerComponents, headerComponents } from './openapi-answers.js';
import { describeOperation, toOperationId, toUniqueId } from './operation.js';
import { parameterComponents } from './parameters.js';
import { finishSchemas } from './schemas/finish-schemas.js';
import { schemaWriter } from './schemas/schema-writer.js';
import { describeWebhooks } from './webhook-docs.js';

const DESCRIPTION = [
  'AI model requests, and billing for the customers who make them.',
  'Ids are UUIDs, times are RFC 3339, and amounts are whole cents or microcents (a millionth of a cent), as their names say.',
  'Texts contain no NUL. Clients ignore members and events that they do not know: answers may get more of them.',
].join(' ');

/** Returns the OpenAPI 3.1 document of the routes, derived from the schemas that validate them. */
export function openApiDocument(routes: readonly RouteDoc[], serverUrl = '/'): JsonObject {
  const writer = schemaWriter();
  const responses: AnswerComponents = {};
  const paths: Record<string, JsonObject> = {};
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

const bearer = (description: string): JsonObject => ({ type: 'http', scheme: 'bearer', description });

const securitySchemes: JsonObject = {
  secretKey: bearer('A secret key; also accepted in the header X-Service-Api-Key.'),
  publishableKey: bearer('A publishable key; also accepted in the header X-Service-Api-Key.'),
  customerToken: bearer('A customer token from POST /auth/customer-token.'),
  accessToken: bearer('An access token of an owner’s session.'),
};

/** `GET /openapi.json`. Writes the document on first use and keeps it. */
export function openApiRoute(routes: readonly RouteDoc[], turns: readonly RouteDoc[]): Route {
  let text: string | undefined;
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Meta',
    operationId: 'getOpenApiDocument',
    summary: 'This API as an OpenAPI 3.1 document',
    description: 'Made from the schemas that validate requests and answers. `/docs` shows it as a page.',
    auth: 'none',
    success: { status: 200, schema: z.looseObject({ openapi: z.string() }) },
    handler: async (_input, ctx) => {
      text ??= JSON.stringify(openApiDocument([...turns, ...routes, route], ctx.config.publicBaseUrl));
      return { body: text, headers: { 'Cache-Control': 'public, max-age=300' } };
    },
  });
  return route;
}

const descriptions: Readonly<Record<string, string>> = {
  'Model responses': 'Ask models in the native format: plain, streamed, or several requests in one call.',
  'Compatible endpoints':
    'Ask models through the client libraries of OpenAI, Anthropic and Google. Errors and headers follow the vendor’s protocol.',
  Images: 'Generate images, and keep or drop the stored files.',
  Runs: 'Start workflow runs, follow their events, and answer their tool calls.',
  Workflows: 'Check workflow specs, and read the schemas of specs and run events.',
  Agents: 'Configure agents with prompts, tools and limits, and run, test or replay them.',
  Compile: 'Turn a plugin or a skill from a repository into a workflow spec.',
  Sessions: 'Keep the messages of a conversation, and the state of its tools.',
  'State handles': 'Storage of the key-value and task tools.',
  Messages: 'Mailboxes of agents and runs.',
  SQL: 'Policies for SQL statements, and their validation.',
  Customers: 'The customers of a project: records, subscriptions and wallets.',
  'Customer self-service': 'Profile, usage, wallet and subscription of the customer of the token.',
  Tiers: 'Plans with models, prices and limits.',
  Payments: 'Checkouts, top-ups and the payment processor’s webhook events.',
  Webhooks: 'Endpoints that receive events; the section “webhooks” of the document has the events.',
  Connections: 'Vendors of models that a project reaches with its own keys.',
  'MCP servers': 'Servers of the Model Context Protocol whose tools agents and runs may call.',
  'Tool hooks': 'Endpoints that execute tools, or that permit and change tool calls.',
  Account: 'The owner account: prepaid balance, usage, cards and audit log.',
  Projects: 'Projects of the owner account.',
  Members: 'Who may do what in a project, and invitations to it.',
  'API keys': 'Secret and publishable keys.',
  Authentication: 'Sign-in of owners and devices, and tokens of customers.',
  Meta: 'The status of the service, and this document.',
};

/** Describes the tags in the order of the reference, and those without a description at the end. */
function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const known = Object.keys(descriptions).filter((name) => used.has(name));
  const others = [...used].filter((name) => !(name in descriptions)).sort();
  return [...known, ...others].map((name) => ({ name, description: descriptions[name] ?? `${name}.` }));
}
