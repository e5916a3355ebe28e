import { describe, expect, it } from '@jest/globals';
import type { Address } from './address.js';
import { BODY_BYTES_MAX, contentFault, decideDelivery, SUBJECT_LENGTH_MAX } from './message.js';

const bodyOfBytes = (bytes: number): string => JSON.stringify({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

describe('contentFault', () => {
  it.each([
    ['hello', '{}'],
    ['x'.repeat(SUBJECT_LENGTH_MAX), '{"a":[1,{"b":null}]}'],
    ['a body of exactly the limit', bodyOfBytes(BODY_BYTES_MAX)],
  ])('accepts %.20s', (subject, body) => {
    expect(contentFault(subject, body)).toBeUndefined();
  });

  it.each(['[]', '"text"', 'null', '1', '', '{', '{"a":}'])(
    'rejects the body %j, which is not a JSON object',
    (body) => {
      expect(contentFault('s', body)).toEqual({ kind: 'invalid', field: 'body', message: 'must be a JSON object' });
    },
  );

  it.each(['', 'x'.repeat(SUBJECT_LENGTH_MAX + 1), 'a\0b'])('rejects the subject %.10j', (subject) => {
    expect(contentFault(subject, '{}')).toMatchObject({ kind: 'invalid', field: 'subject' });
  });

  it('counts the body in bytes, not characters', () => {
    const body = JSON.stringify({ t: 'é'.repeat(BODY_BYTES_MAX / 2) });
    expect(body.length).toBeLessThan(BODY_BYTES_MAX);
    expect(contentFault('s', body)).toEqual({ kind: 'too_large' });
  });
});

const agent: Address = { kind: 'agent', slug: 'helper', projectId: 'p1' };
const foreignAgent: Address = { kind: 'agent', slug: 'helper', projectId: 'p2' };
const run = (runId: string): Address => ({ kind: 'run', runId });
const runs = new Map([
  ['of-ann', 'ann'],
  ['of-bob', 'bob'],
  ['of-project', undefined],
]);
const api: Address = { kind: 'agent', slug: 'api', projectId: 'p1' };
const project = { projectId: 'p1', customerId: undefined, isCustomerClient: false };
const ann = { projectId: 'p1', customerId: 'ann', isCustomerClient: false };
const annsClient = { ...ann, isCustomerClient: true };

describe('decideDelivery', () => {
  it.each([
    ['the project to an agent', project, agent, agent, undefined, undefined],
    ['the project to its own run', project, run('of-project'), agent, undefined, undefined],
    ['the project to a run of a customer', project, run('of-ann'), agent, undefined, 'ann'],
    ['the project to an unlisted run', project, run('unknown'), agent, undefined, undefined],
    ['the project in a thread of a customer', project, agent, agent, 'ann', 'ann'],
    ['the project in the name of a run of a customer', project, agent, run('of-ann'), undefined, 'ann'],
    ['the project to a run of one customer in a thread of another', project, run('of-bob'), agent, 'ann', 'bob'],
    ['a customer to an agent', ann, agent, agent, undefined, 'ann'],
    ['a customer’s client from the API', annsClient, agent, api, undefined, 'ann'],
    ['a customer’s client from its run', annsClient, agent, run('of-ann'), undefined, 'ann'],
    ['a customer between its runs', ann, run('of-ann'), run('of-ann'), 'ann', 'ann'],
    ['a customer to an unlisted run', ann, run('unknown'), agent, undefined, 'ann'],
  ])('puts a message of %s into the right scope', (_, scope, to, from, threadCustomerId, customerId) => {
    expect(decideDelivery({ scope, to, from, runs, threadCustomerId })).toEqual({ ok: true, customerId });
  });

  it.each([
    ['the project to an agent of another project', project, foreignAgent, agent, 'recipient_not_found'],
    ['the project from an agent of another project', project, agent, foreignAgent, 'sender_not_found'],
    ['a customer to an agent of another project', ann, foreignAgent, agent, 'recipient_not_found'],
    ['a customer to a run of another customer', ann, run('of-bob'), agent, 'recipient_not_found'],
    ['a customer to a run of the project itself', ann, run('of-project'), agent, 'recipient_not_found'],
    ['a customer’s client from an agent', annsClient, agent, agent, 'sender_forbidden'],
    ['a customer from a run of another customer', ann, agent, run('of-bob'), 'sender_not_found'],
  ])('rejects a message of %s', (_, scope, to, from, refusal) => {
    expect(decideDelivery({ scope, to, from, runs, threadCustomerId: undefined })).toEqual({ ok: false, refusal });
  });
});
