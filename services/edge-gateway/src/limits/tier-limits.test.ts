import { create } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { silentLogger } from '@tollgate/runtime';
import { controllableClock } from '@tollgate/testkit';
import type { Clients } from '../clients/clients.js';
import { TierLimits } from './tier-limits.js';

const principal = create(PrincipalSchema, {
  kind: PrincipalKind.CUSTOMER,
  projectId: 'p',
  customerId: 'c',
  tierCode: 'pro',
});
const clock = controllableClock();
let asked = 0;
let isUnavailable = false;
let limits: TierLimits;

beforeEach(() => {
  asked = 0;
  isUnavailable = false;
  const billing = {
    getTier: async ({ by }: { by: { value: string } }) => {
      asked++;
      if (isUnavailable) throw new Error('away');
      const rateLimitPerMinute = by.value === 'max' ? 9_000 : 5_000;
      return { tier: { rateLimitPerMinute, models: [{ modelId: 'm', isDefault: true }] } };
    },
  } as unknown as Clients['billing'];
  limits = new TierLimits(billing, clock, silentLogger);
});

describe('TierLimits', () => {
  it('calls billing once', async () => {
    expect(await limits.find(principal)).toEqual({ perMinute: 5_000, defaultModel: 'm', models: new Set(['m']) });
    expect(await limits.find(principal)).toEqual({ perMinute: 5_000, defaultModel: 'm', models: new Set(['m']) });
    expect(asked).toBe(1);
  });

  it("follows a token's customer to another tier, but not a key that names the customer", async () => {
    limits.note(principal, 'max');
    expect(await limits.find(principal)).toMatchObject({ perMinute: 9_000 });
    const key = create(PrincipalSchema, { ...principal, kind: PrincipalKind.SECRET_KEY });
    expect(await limits.find(key)).toMatchObject({ perMinute: 5_000 });
    limits.note(key, 'max');
    limits.note(principal, 'pro');
    expect(await limits.find(principal)).toMatchObject({ perMinute: 5_000 });
  });

  it('keeps cached limits while billing is unavailable for less than a minute', async () => {
    await limits.find(principal);
    isUnavailable = true;
    for (let i = 0; i < 5; i++) {
      clock.advance({ seconds: 10 });
      expect(await limits.find(principal)).toMatchObject({ perMinute: 5_000 });
    }
  });

  it('falls back without calling billing on every request, and recovers', async () => {
    isUnavailable = true;
    for (let i = 0; i < 10; i++) expect(await limits.find(principal)).toEqual({ perMinute: undefined });
    expect(asked).toBe(1);
    isUnavailable = false;
    clock.advance({ seconds: 3 });
    expect(await limits.find(principal)).toMatchObject({ perMinute: 5_000 });
  });
});
