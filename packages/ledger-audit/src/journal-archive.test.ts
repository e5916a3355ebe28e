import { expect, it } from '@jest/globals';
import { archiveHead, verifyArchive } from './journal-archive.js';
import { chainHash, computeSeal, type SealedMonth } from './journal-seal.js';

const TRANSFER = '["1","1001","6","7","provider_cost","cause",null,"2026-10-02T00:00:00.000Z"]';
const BALANCES = ['["6","7","0","7","0"]', '["1001","0","7","0","7"]'];
const MONTH: SealedMonth = {
  month: '2026-10-01',
  afterId: '0',
  lastId: '1',
  transfers: '1',
  transfersHash: chainHash('', [TRANSFER]),
  balances: '2',
  balancesHash: chainHash('', BALANCES),
  previousSeal: '',
};
const SEAL = computeSeal(MONTH);
const HEAD = JSON.stringify(archiveHead(MONTH, SEAL));

async function findProblems(...lines: string[]): Promise<string[]> {
  return (await verifyArchive(toLines(lines))).problems;
}

async function* toLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

it('confirms the month and the seal of an archive', async () => {
  expect(await verifyArchive(toLines([HEAD, TRANSFER, ...BALANCES]))).toEqual({
    month: '2026-10-01',
    seal: SEAL,
    problems: [],
  });
});

it('names a first line that is not the head of an archive', async () => {
  const problem = 'the first line is not the head of a tollgate-journal-1 archive';
  expect(await findProblems()).toEqual([problem]);
  expect(await findProblems('{}')).toEqual([problem]);
  expect(await findProblems(HEAD.replace('"transfers":"1"', '"transfers":"-1"'))).toEqual([problem]);
});

it('names changed transfers and balances, and sums that differ', async () => {
  const changed = TRANSFER.replace('"7"', '"8"');
  expect(await findProblems(HEAD, changed, ...BALANCES)).toEqual([
    'the transfers are not those that were sealed',
    'the sums of transfers and balances differ',
  ]);
  expect(await findProblems(HEAD, TRANSFER, BALANCES[1]!, BALANCES[0]!)).toEqual([
    'the balances are not those that were sealed',
  ]);
});

it('names missing and additional lines', async () => {
  expect(await findProblems(HEAD, TRANSFER, BALANCES[0]!)).toContain('the balances are not those that were sealed');
  expect(await findProblems(HEAD, TRANSFER, ...BALANCES, '[]')).toEqual(['lines follow the last balance']);
});

it('names a seal that does not follow from the first line', async () => {
  const head = JSON.stringify(archiveHead(MONTH, computeSeal({ ...MONTH, previousSeal: 'aa' })));
  expect(await findProblems(head, TRANSFER, ...BALANCES)).toEqual(['the seal is not that of the first line']);
});
