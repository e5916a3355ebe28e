import { expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Subject } from '../../domain/subject.js';
import { SubjectCache } from './load-subject.js';

const principal = { accountId: 'a', projectId: 'p', customerId: 'c', keyId: '', byob: false } as Principal;

/** A cache whose subjects are valid until the next multiple of 100. */
function makeCache() {
  const time = { nowMs: 0 };
  let loads = 0;
  const load = async () => {
    loads += 1;
    return { validUntilMs: (Math.floor(time.nowMs / 100) + 1) * 100 } as Subject;
  };
  const cache = new SubjectCache(load, () => time.nowMs);
  return { cache, time, countLoads: () => loads };
}

it('shares one read of a subject that many requests miss at once', async () => {
  const { cache, countLoads } = makeCache();
  await Promise.all(Array.from({ length: 50 }, () => cache.get(principal)));
  expect(countLoads()).toBe(1);
});

it('shares one read of a subject that becomes invalid while many requests use it', async () => {
  const { cache, time, countLoads } = makeCache();
  await cache.get(principal);
  time.nowMs = 100;
  const subjects = await Promise.all(Array.from({ length: 50 }, () => cache.get(principal)));
  expect(countLoads()).toBe(2);
  expect(new Set(subjects.map(({ validUntilMs }) => validUntilMs))).toEqual(new Set([200]));
});
