import { describe, expect, it } from '@jest/globals';
import { SettleOutcome, type SettleRequest, type SettleResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { until } from '../testing/condition.js';
import { type Settlement, Settlements, type SettlementsOptions } from './settlements.js';

class Ledger {
  readonly heard: string[] = [];
  isAway = false;

  async settle(req: Settlement): Promise<SettleResponse> {
    if (this.isAway) throw new AppError('SERVICE_UNAVAILABLE', 'away');
    this.heard.push((req as SettleRequest).holdId);
    return { outcome: SettleOutcome.POSTED } as SettleResponse;
  }
}

function settlements(more: Partial<SettlementsOptions> = {}): { ledger: Ledger; settling: Settlements } {
  const ledger = new Ledger();
  return { ledger, settling: new Settlements({ billing: ledger, logger: silentLogger, ...more }) };
}

describe('Settlements', () => {
  it('is done when the ledger has heard', async () => {
    const { ledger, settling } = settlements();
    await settling.settle({ holdId: 'a' }, startCall(), 1_000);
    expect(ledger.heard).toEqual(['a']);
    expect(settling.pendingCount).toBe(0);
  });

  it('goes on after its caller has given up waiting', async () => {
    const { ledger, settling } = settlements();
    ledger.isAway = true;
    await expect(settling.settle({ holdId: 'a' }, startCall(), 20)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(settling.pendingCount).toBe(1);
    ledger.isAway = false;
    await until('the ledger hears', () => ledger.heard.length === 1);
    await until('nothing waits', () => settling.pendingCount === 0);
  });

  it('settles although the caller of the turn is gone', async () => {
    const { ledger, settling } = settlements();
    const call = startCall();
    call.abort(new Error('gone'));
    await settling.settle({ holdId: 'a' }, call, 1_000);
    expect(ledger.heard).toEqual(['a']);
  });

  it('gives up after its time, and at once when too many wait already', async () => {
    const { ledger, settling } = settlements({ retryForMs: 30, pendingMax: 1 });
    ledger.isAway = true;
    const first = settling.settle({ holdId: 'a' }, startCall(), 5_000);
    const second = settling.settle({ holdId: 'b' }, startCall(), 5_000);
    await expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(settling.pendingCount).toBe(0);
  });

  it('drains: waits for what is under way, then lets go', async () => {
    const { ledger, settling } = settlements();
    ledger.isAway = true;
    const waiting = settling.settle({ holdId: 'a' }, startCall(), 5_000);
    await until('it waits', () => settling.pendingCount === 1);
    ledger.isAway = false;
    await settling.drain(5_000);
    await waiting;
    expect(ledger.heard).toEqual(['a']);
    ledger.isAway = true;
    const lost = settling.settle({ holdId: 'b' }, startCall(), 5_000);
    const outcome = expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await settling.drain(10);
    await outcome;
    expect(settling.pendingCount).toBe(0);
  });
});
