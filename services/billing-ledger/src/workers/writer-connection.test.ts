import { afterEach, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { WriterConnection } from './writer-connection.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('names a reason once the database could not be reached for some seconds, until it answers again', async () => {
  const url = 'postgresql://127.0.0.1:1/nowhere';
  const writer = new WriterConnection({ url, schema: 'ledger', name: 'lane', lockTimeoutMs: 300 }, silentLogger);
  expect(writer.unavailableReason).toBeUndefined();
  await expect(writer.client()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(writer.unavailableReason).toBeUndefined();
  const later = Date.now() + 6_000;
  jest.spyOn(Date, 'now').mockReturnValue(later);
  expect(writer.unavailableReason).toBe('the ledger cannot write to its database');
  writer.noteSuccess();
  expect(writer.unavailableReason).toBeUndefined();
});
