import type { DescService } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Call, Handlers, Registration } from '@tollgate/rpc';
import request, { type Test } from 'supertest';
import type { Route } from '../http/exchange/route.js';
import type { EndpointRouter } from '../http/server/endpoints.js';
import { peer, type RouteTest, startRouteTest, type TestTenant } from './route-test.js';

export type Method = 'delete' | 'get' | 'patch' | 'post' | 'put';

/** A request: its path continues the one of the suite. */
export type Endpoint = [method: Method, path: string, body: object | undefined];

/** Sends a request as the tenant, or with another credential; '' = none. */
export type Send = (method: Method, path?: string, body?: object, credential?: string) => Test;

/**
 * Registers hooks that start the routes for the test file and stop them after it. The hooks fill the returned `harness`, so a
 * file may destructure the result.
 */
export function useRoutes(
  testFile: string,
  served: readonly (EndpointRouter | Route)[],
  peers: Registration[],
  sender: { path: (tenant: TestTenant) => string; credential: 'ownerToken' | 'secretKey' },
): { harness: RouteTest; send: Send } {
  const harness = {} as RouteTest;
  beforeAll(async () => {
    Object.assign(harness, await startRouteTest(testFile, served, peers));
  });
  afterAll(() => harness.stop());
  return {
    harness,
    send(method, path = '', body, credential = harness.tenant[sender.credential]) {
      const sending = request(harness.app)[method](`/api/v1${sender.path(harness.tenant)}${path}`);
      if (credential !== '') void sending.set('Authorization', `Bearer ${credential}`);
      return body === undefined ? sending : sending.send(body);
    },
  };
}

/** A request that a peer got, and its caller. */
export interface PeerCall {
  method: string;
  req: Record<string, unknown>;
  projectId: string | undefined;
  customerId: string | undefined;
}

/** The answer of each method, or a function that makes it. */
type Answers<S extends DescService> = {
  [M in keyof Handlers<S>]?: Handlers<S>[M] | Awaited<ReturnType<Handlers<S>[M]>>;
};

/** Peers that give the answers of a suite and record their calls. */
export interface RecordedPeers {
  /** The calls since the test began, in order. */
  readonly asked: PeerCall[];
  /** Lets all calls fail from now on, until the test ends or the error is `undefined`. They are still recorded. */
  refuseWith(error: Error | undefined): void;
  recordedPeer<S extends DescService>(service: S, answers: Answers<S>): Registration;
}

/** Registers a hook that forgets calls and refusal before each test. */
export function useRecordedPeers(): RecordedPeers {
  const asked: PeerCall[] = [];
  let refusal: Error | undefined;
  beforeEach(() => {
    asked.length = 0;
    refusal = undefined;
  });

  function toHandler(method: string, answer: unknown) {
    return (req: object, call: Call): unknown => {
      const { $typeName: _, ...fields } = req as { $typeName: string };
      const { projectId, customerId } = call.principal ?? {};
      asked.push({ method, req: fields, projectId, customerId });
      if (refusal) throw refusal;
      return typeof answer === 'function' ? answer(req, call) : answer;
    };
  }

  return {
    asked,
    refuseWith(error) {
      refusal = error;
    },
    recordedPeer<S extends DescService>(service: S, answers: Answers<S>) {
      const handlers = Object.entries(answers).map(([method, answer]) => [method, toHandler(method, answer)]);
      return peer(service, Object.fromEntries(handlers) as Partial<Handlers<S>>);
    },
  };
}
