import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { silentLogger } from '@tollgate/runtime';
import { controllableClock } from '@tollgate/testkit';
import type { Clients } from '../clients/clients.js';
import { TierLimits } from './tier-limits.js';

const principal = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, projectId: 'p', tierCode: 'pro' });
const clock = controllableClock();
let asked = 0;
let isAway = false;
let limits: TierLimits;

beforeEach(() => {
  asked = 0;
  isAway = false;
  const billing = {
    getTier: async () => {
      asked++;
      if (isAway) throw new Error('away');
      return { tier: { rateLimitPerMinute: 5_000, models: [{ modelId: 'm', isDefault: true }] } };
    },
  } as unknown as Clients['billing'];
  limits = new TierLimits(billing, clock, silentLogger);
});

describe('TierLimits', () => {
  it('asks billing once', async () => {
    expect(await limits.find(principal)).toEqual({ perMinute: 5_000, defaultModel: 'm' });
    expect(limits.find(principal)).toEqual({ perMinute: 5_000, defaultModel: 'm' });
    expect(asked).toBe(1);
  });

  it('keeps what it knows while billing is away for less than a minute', async () => {
    await limits.find(principal);
    isAway = true;
    for (let i = 0; i < 5; i++) {
      clock.advance({ seconds: 10 });
      expect(await limits.find(principal)).toMatchObject({ perMinute: 5_000 });
    }
  });

  it('falls back without asking billing at every request, and recovers', async () => {
    isAway = true;
    for (let i = 0; i < 10; i++) expect(await limits.find(principal)).toEqual({ perMinute: undefined });
    expect(asked).toBe(1);
    isAway = false;
    clock.advance({ seconds: 3 });
    expect(await limits.find(principal)).toMatchObject({ perMinute: 5_000 });
  });
});
