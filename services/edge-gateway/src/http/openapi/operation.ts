import type { Credential } from '../../auth/authenticate.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { type AnswerComponents, describeAnswers } from './openapi-answers.js';
import { describeParameters, namesCustomer } from './parameters.js';
import { describeBody } from './request-body.js';
import { toPascalCase } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

type Json = Record<string, unknown>;

const securityOf: Record<Credential, string> = {
  secret_key: 'secretKey',
  publishable_key: 'publishableKey',
  customer: 'customerToken',
  owner: 'accessToken',
};

export function describeOperation(route: RouteDoc, id: string, answers: AnswerComponents, writer: SchemaWriter): Json {
  const name = toPascalCase(id);
  const parameters = describeParameters(route, writer);
  return {
    tags: [route.tag],
    summary: route.summary,
    description: describe(route),
    operationId: id,
    security: route.auth === 'none' ? [] : route.auth.map((credential) => ({ [securityOf[credential]]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(route, name, writer),
    responses: describeAnswers(route, name, answers, writer),
  };
}

const credentialNames: Record<Credential, string> = {
  secret_key: 'a secret key',
  publishable_key: 'a publishable key',
  customer: 'a customer token',
  owner: 'an access token of the owner',
};

/** Returns the route's own sentences, and those that follow from the route. */
function describe(route: RouteDoc): string {
  const { auth, description, ownerActsAsKey, idempotent } = route;
  const names = auth === 'none' ? [] : auth.map((credential) => credentialNames[credential]);
  const sentences = [
    description ?? `${route.summary}.`,
    names.length === 0 ? 'Needs no credential.' : `Needs ${names.join(', or ')}.`,
    ownerActsAsKey && 'The owner’s session acts in the project of the path, as its secret key would.',
    namesCustomer(route) && !ownerActsAsKey && 'With `X-Service-Customer-Id`, a secret key acts for that customer.',
    isPage(route) && 'Returns one page; `next_cursor` is absent on the last one.',
    idempotent && 'A repeat with the same `Idempotency-Key` has no second effect.',
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function isPage({ query }: RouteDoc): boolean {
  const shape = (query as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
  return 'limit' in shape && 'offset' in shape;
}
