import { expect, it } from '@jest/globals';
import { shortExpression, shortRules } from './short-rules.js';

it.each([
  ['sum(increase(x_total{a="b"}[15m])) > 5', 'sum(increase(x_total{a="b"}[15s])) > 5'],
  ['x_total unless x_total offset 15m', 'x_total unless x_total offset 15s'],
  [
    'max by (service) (tollgate_outbox_oldest_age_seconds) > 300',
    'max by (service) (tollgate_outbox_oldest_age_seconds) > 10',
  ],
  ['max(tollgate_holds_oldest_age_seconds) > 6 * 3600', 'max(tollgate_holds_oldest_age_seconds) > 10'],
  ['time() - max(x_timestamp_seconds) > 4 * 3600', 'time() - max(x_timestamp_seconds) > 10'],
  ['max_over_time(x[1h]) > 0.2', 'max_over_time(x[60s]) > 0.2'],
])('shortens %s', (expression, short) => {
  expect(shortExpression(expression)).toBe(short);
});

it('leaves no range, delay or age of minutes in the rules', () => {
  expect(shortRules()).not.toMatch(/\b\d+[mh]\b|\b3600\b|> 300/);
});
