import { expect, it } from '@jest/globals';
import { isEnded, isHeld } from './subscription-status.js';

it.each([
  ['active', false, true],
  ['trialing', false, true],
  ['past_due', false, true],
  ['paused', false, true],
  ['incomplete', false, false],
  ['incomplete_expired', true, false],
  ['canceled', true, false],
])('reads the status %s', (status, hasEnded, isCustomers) => {
  expect([isEnded(status), isHeld(status)]).toEqual([hasEnded, isCustomers]);
});
