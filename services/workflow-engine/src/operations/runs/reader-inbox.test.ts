import { describe, expect, it } from '@jest/globals';
import { ReaderInbox } from './reader-inbox.js';

const events = (...seqs: number[]) => seqs.map((seq) => ({ seq, type: 't', json: `${seq}` }));
const toSeqs = (taken: { seq: number }[] | undefined) => taken?.map(({ seq }) => seq);

/** As it is once the reader has asked the database for everything up to its position. */
function upToDate(): ReaderInbox {
  const inbox = new ReaderInbox();
  expect(inbox.take(0, 10)).toBeUndefined();
  return inbox;
}

describe('the inbox of a reader', () => {
  it('reads from the database first, then only for events it did not receive', () => {
    const inbox = upToDate();
    expect(inbox.take(3, 10)).toEqual([]);
    inbox.put(events(4, 5));
    expect(toSeqs(inbox.take(3, 10))).toEqual([4, 5]);
    expect(inbox.take(5, 10)).toEqual([]);
    inbox.ring();
    expect(inbox.take(5, 10)).toBeUndefined();
    expect(inbox.take(5, 10)).toEqual([]);
  });

  it('returns every event once, for any order of arrival', () => {
    const inbox = upToDate();
    inbox.put(events(6, 7));
    expect(inbox.take(3, 10)).toBeUndefined();
    inbox.put(events(4, 5));
    inbox.put(events(5));
    expect(toSeqs(inbox.take(5, 10))).toEqual([6, 7]);
    inbox.put(events(9));
    inbox.put(events(8));
    expect(toSeqs(inbox.take(7, 10))).toEqual([8, 9]);
  });

  it('keeps events beyond a page for the next one', () => {
    const inbox = upToDate();
    inbox.put(events(1, 2, 3));
    expect(toSeqs(inbox.take(0, 2))).toEqual([1, 2]);
    expect(toSeqs(inbox.take(2, 2))).toEqual([3]);
  });

  it('does not grow when its reader never takes events', () => {
    const inbox = upToDate();
    const large = 'x'.repeat(1024 * 1024);
    for (let seq = 1; seq <= 5; seq++) inbox.put([{ seq, type: 't', json: large }]);
    expect(inbox.take(0, 10)).toBeUndefined();
  });

  it('wakes a waiting reader, and does not wait when events have arrived before', async () => {
    const inbox = upToDate();
    const waiting = inbox.wait(60_000);
    inbox.put(events(1));
    await waiting;
    await inbox.wait(60_000);
    inbox.take(0, 10);
    inbox.ring();
    await inbox.wait(60_000);
  });
});
