import { expect, it } from '@jest/globals';
import { describeAddress, toAddress } from './address.js';

const id = '0b6c2f0e-7e0c-4d49-9c46-0d3d3a3b9a11';

it.each([
  [`agent:helper@${id}`, 'helper'],
  [`run:${id}`, 'run 0b6c2f0e'],
])('describes %s as %s', (address, text) => {
  expect(describeAddress(address)).toBe(text);
});

it.each([
  ['helper', `agent:helper@${id}`],
  [` ${id.toUpperCase()} `, `run:${id.toUpperCase()}`],
  [`run:${id}`, `run:${id}`],
  ['', ''],
])('makes an address of %j', (text, address) => {
  expect(toAddress(text, id)).toBe(address);
});
