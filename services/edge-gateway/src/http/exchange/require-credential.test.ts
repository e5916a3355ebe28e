import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { requireCredential } from './require-credential.js';

const principal = (kind: PrincipalKind) => create(PrincipalSchema, { kind });

it('names the credentials that an endpoint accepts when it refuses another one', () => {
  expect(() => requireCredential(principal(PrincipalKind.PUBLISHABLE_KEY), ['secret_key', 'customer'])).toThrow(
    "this endpoint does not accept a publishable key; use a secret key or a customer's token",
  );
  expect(() => requireCredential(principal(PrincipalKind.OWNER), ['secret_key'])).toThrow(
    "this endpoint does not accept an owner's session; use a secret key",
  );
});

it('lets an accepted credential pass', () => {
  expect(() => requireCredential(principal(PrincipalKind.CUSTOMER), ['secret_key', 'customer'])).not.toThrow();
});
