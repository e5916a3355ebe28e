import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, startCall } from '@tollgate/rpc';
import { elapsed, FairSlots, silentLogger } from '@tollgate/runtime';
import { ADMISSION_TIMEOUT_MS, createLedger } from '@tollgate/spending';
import { waitUntil } from '@tollgate/testkit';
import { TURN_GATE } from '../../context.js';
import { readRequestIds } from '../exchange/exchange.js';
import { RequestRecord } from '../exchange/request-record.js';
import { admitInTurn, type TurnSpender } from './admit-turn.js';

const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, accountId: 'a', projectId: 'p' });
const turn = { model: 'sandbox/echo-1', provider: undefined, maxOutputTokens: 9, input: { messages: ['hello'] } };

/** A ledger whose database hangs: no admission is answered until the test fails it. */
function hangingLedger() {
  const waiting: { call: Call; fail: () => void }[] = [];
  const admit = (_: unknown, call: Call) =>
    new Promise<never>((_resolve, reject) => {
      waiting.push({ call, fail: () => reject(new AppError('RELAY_TIMEOUT', 'late')) });
    });
  const never = () => new Promise<never>(() => undefined);
  const billing = { admit, release: async () => ({}), settle: never };
  const ledger = createLedger({ billing, holds: { supersedeHolds: never }, logger: silentLogger } as never);
  return { waiting, ledger };
}

it('waits for its turn and for the ledger within one limit', async () => {
  const { waiting, ledger } = hangingLedger();
  const ctx = { catalog: loadCatalog({ sandbox: true }), ledger, turnGate: new FairSlots(TURN_GATE) };
  const ask = () => {
    const spender = { ctx, ids: readRequestIds({}), record: new RequestRecord() } as unknown as TurnSpender;
    return admitInTurn(spender, { ...turn, format: undefined }, startCall({ principal, timeoutMs: 600_000 }));
  };
  // More than one account gets through the gate at once.
  const asked = Array.from({ length: 100 }, ask);
  let ended = 0;
  const outcomes = Promise.allSettled(asked.map((admission) => admission.finally(() => ended++)));
  const askedMs = elapsed();
  await waitUntil(() => waiting.length > 0, { what: 'the first admissions' });
  const first = waiting.splice(0);
  expect(first.length).toBeLessThan(asked.length);
  await waitUntil(() => elapsed() > askedMs + 100, { what: 'the others to have waited' });
  for (const { fail } of first) fail();
  await waitUntil(() => ended + waiting.length === asked.length, { what: 'the others to be admitted' });
  for (const { call } of waiting) expect(call.deadline).toBeLessThanOrEqual(askedMs + ADMISSION_TIMEOUT_MS);
  for (const { fail } of waiting) fail();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected' });
});
