import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import type { RouteTest } from './route-test.js';
import type { Endpoint, RecordedPeers, Send } from './use-routes.js';

/**
 * Cases of endpoints under `/projects/{id}` that only an owner of the project may call, and whose errors are plain texts.
 * `notFound`: the error of a resource that does not exist. The endpoints with an empty path are those of the list.
 */
export function describeOtherCallers(
  { harness, send, asked, refuseWith }: { harness: RouteTest; send: Send } & Omit<RecordedPeers, 'recordedPeer'>,
  endpoints: readonly Endpoint[],
  notFound: string,
): void {
  describe('401', () => {
    it.each(endpoints)('rejects %s %s without a credential, or with an invalid one', async (method, path, body) => {
      for (const credential of ['', 'nonsense']) {
        const res = await send(method, path, body, credential);
        expect([res.status, res.body, asked]).toEqual([401, { error: 'unauthorized' }, []]);
      }
    });
  });

  describe('403', () => {
    it.each(endpoints)('rejects %s %s with a key or a customer token', async (method, path, body) => {
      const { secretKey, publishableKey, customerToken } = harness.tenant;
      for (const credential of [secretKey, publishableKey, customerToken]) {
        const res = await send(method, path, body, credential);
        expect([res.status, Object.keys(res.body), asked]).toEqual([403, ['error'], []]);
      }
    });
  });

  describe('404', () => {
    it.each(endpoints)("rejects %s %s of another owner's project", async (method, path, body) => {
      const res = await send(method, path, body, harness.stranger.ownerToken);
      const error = path === '' ? 'project not found' : notFound;
      expect([res.status, res.body, asked]).toEqual([404, { error }, []]);
    });

    it.each(endpoints.filter(([, path]) => path !== ''))('reports %s %s that does not exist', async (...endpoint) => {
      refuseWith(new AppError('NOT_FOUND', notFound));
      const res = await send(...endpoint);
      expect([res.status, res.body]).toEqual([404, { error: notFound }]);
    });
  });
}
