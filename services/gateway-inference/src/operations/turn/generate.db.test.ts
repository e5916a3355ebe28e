import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { ask, collect, InferenceSystem } from '../../testing/inference-system.js';

const LARGE = 200_000;

let system: InferenceSystem;
beforeAll(async () => {
  system = await InferenceSystem.start();
});
afterAll(() => system.stop());

it.each([
  ['small', 0],
  ['large', LARGE],
])('releases the hold of a %s turn that cannot be constructed', async (_, padding) => {
  const call = system.call();
  const body = { input: 'a or b?', options: [{ id: 'a' }, { id: 'b' }], padding: 'x'.repeat(padding) };
  // Decisions have no stream: opening its writer throws.
  const turn = system.turn(body, { dialect: Dialect.DECISIONS, stream: true }, call);
  await expect(collect(turn)).rejects.toThrow('decisions are not streamed');
  expect(system.ledger.findRelease(call.requestId)).toMatchObject({ facts: { success: false } });
});

it.each([
  ['small', 0],
  ['large', LARGE],
])('releases the hold of a %s turn whose model is unknown', async (_, padding) => {
  const call = system.call();
  const turn = system.turn(ask('hi', { padding: 'x'.repeat(padding) }), { modelId: 'sandbox/no-such-model' }, call);
  await expect(collect(turn)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(system.ledger.findRelease(call.requestId)).toMatchObject({ facts: { success: false } });
});

it('reads large bodies that arrive at once in different turns of the event loop', async () => {
  let turn = 0;
  let turning: NodeJS.Immediate;
  const count = (): void => {
    turn += 1;
    turning = setImmediate(count);
  };
  count();
  const readIn: number[] = [];
  const parse = JSON.parse;
  const spied = jest.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > LARGE) readIn.push(turn);
    return parse(text, reviver);
  });
  try {
    const body = ask('say 3 tokens', { padding: 'x'.repeat(LARGE) });
    const answers = await Promise.all(Array.from({ length: 12 }, () => collect(system.turn(body))));
    expect(answers.flat()).toHaveLength(12);
    expect(new Set(readIn).size).toBe(12);
  } finally {
    spied.mockRestore();
    clearImmediate(turning!);
  }
});
