import { expect, it } from '@jest/globals';
import type { Lease } from '../domain/webhooks/delivery.js';
import { createSlots } from './slots.js';

const newLease = (epoch: number): Lease => ({
  webhookId: 'w',
  orderingKey: 'l',
  epoch,
  deliveryId: 'd',
  round: 0,
  attempt: epoch,
});

it('grants half of the slots, rounded up, to failing endpoints and frees all of them', () => {
  const slots = createSlots(3);
  expect(slots.free()).toEqual({ total: 3, failing: 2 });
  const leases = [newLease(1), newLease(2)] as const;
  slots.take(leases[0], true);
  slots.take(leases[1], false);
  expect(slots.free()).toEqual({ total: 1, failing: 1 });
  for (const lease of leases) slots.release(lease);
  expect(slots.free()).toEqual({ total: 3, failing: 2 });
});

it('counts two slots for a delivery that was claimed again, and frees both', () => {
  const slots = createSlots(4);
  const [lost, held] = [newLease(1), newLease(2)];
  slots.take(lost, true);
  slots.take(held, true);
  expect(slots.free()).toEqual({ total: 2, failing: 0 });
  slots.release(lost);
  slots.release(held);
  expect(slots.free()).toEqual({ total: 4, failing: 2 });
});
