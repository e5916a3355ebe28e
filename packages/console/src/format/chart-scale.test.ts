import { expect, it } from '@jest/globals';
import { toScale } from './chart-scale.js';

it.each([
  [0, [0]],
  [-5, [0]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [95, [0, 25, 50, 75, 100]],
  [1_300_000, [0, 500_000, 1_000_000, 1_500_000]],
])('draws the lines of a chart up to %d at %j', (max, lines) => {
  expect(toScale(max, 4)).toEqual(lines);
});
