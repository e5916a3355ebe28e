import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { SettleOutcome, type SettleRequest, type SettleResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { until } from '../testing/condition.js';
import { type Settlement, Settlements, type SettlementsOptions } from './settlements.js';

class Ledger {
  readonly received: string[] = [];
  isUnavailable = false;
  outcome = SettleOutcome.POSTED;

  async settle(req: Settlement): Promise<SettleResponse> {
    if (this.isUnavailable) throw new AppError('SERVICE_UNAVAILABLE', 'unavailable');
    this.received.push((req as SettleRequest).holdId);
    return { outcome: this.outcome } as SettleResponse;
  }
}

function settlements(more: Partial<SettlementsOptions> = {}): { ledger: Ledger; settling: Settlements } {
  const ledger = new Ledger();
  return { ledger, settling: new Settlements({ billing: ledger, logger: silentLogger, ...more }) };
}

describe('Settlements', () => {
  it('resolves when the ledger acknowledges', async () => {
    const { ledger, settling } = settlements();
    await settling.settle({ holdId: 'a' }, startCall(), 1_000);
    expect(ledger.received).toEqual(['a']);
    expect(settling.pendingCount).toBe(0);
  });

  it('logs a settlement without a hold with everything that an operator needs to charge it', async () => {
    const lines: unknown[] = [];
    const logger = Object.assign(Object.create(silentLogger), { error: (fields: unknown) => lines.push(fields) });
    const { ledger, settling } = settlements({ logger });
    ledger.outcome = SettleOutcome.UNKNOWN_REQUEST;
    const principal = create(PrincipalSchema, { projectId: 'p', customerId: 'c' });
    const usage = { inputTokens: 9n, outputTokens: 20n, images: 1 };
    const call = startCall({ requestId: 'r', principal });
    await settling.settle({ holdId: 'a', usage, facts: { modelId: 'm' } }, call, 1_000);
    const ids = { request_id: 'r', hold_id: 'a', project_id: 'p', customer_id: 'c', model_id: 'm' };
    expect(lines).toEqual([{ ...ids, input_tokens: '9', output_tokens: '20', images: 1 }]);
  });

  it('continues after its caller stops waiting', async () => {
    const { ledger, settling } = settlements();
    ledger.isUnavailable = true;
    await expect(settling.settle({ holdId: 'a' }, startCall(), 20)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(settling.pendingCount).toBe(1);
    ledger.isUnavailable = false;
    await until('the ledger is called', () => ledger.received.length === 1);
    await until('nothing is pending', () => settling.pendingCount === 0);
  });

  it('settles after the caller of the turn has left', async () => {
    const { ledger, settling } = settlements();
    const call = startCall();
    call.abort(new Error('left'));
    await settling.settle({ holdId: 'a' }, call, 1_000);
    expect(ledger.received).toEqual(['a']);
  });

  it('drops a settlement after its time, or at once when too many wait', async () => {
    const { ledger, settling } = settlements({ retryForMs: 30, pendingMax: 1 });
    ledger.isUnavailable = true;
    const first = settling.settle({ holdId: 'a' }, startCall(), 5_000);
    const second = settling.settle({ holdId: 'b' }, startCall(), 5_000);
    await expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(settling.pendingCount).toBe(0);
  });

  it('drains by waiting for pending settlements', async () => {
    const { ledger, settling } = settlements();
    ledger.isUnavailable = true;
    const waiting = settling.settle({ holdId: 'a' }, startCall(), 5_000);
    await until('it is pending', () => settling.pendingCount === 1);
    ledger.isUnavailable = false;
    await settling.drain(5_000);
    await waiting;
    expect(ledger.received).toEqual(['a']);
    ledger.isUnavailable = true;
    const lost = settling.settle({ holdId: 'b' }, startCall(), 5_000);
    const outcome = expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await settling.drain(10);
    await outcome;
    expect(settling.pendingCount).toBe(0);
  });
});
