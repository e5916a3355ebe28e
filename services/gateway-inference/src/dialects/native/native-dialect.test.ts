import { expect, it } from '@jest/globals';
import { fileCapability } from './native-dialect.js';

it.each([
  ['image/png', 'vision'],
  ['IMAGE/PNG', 'vision'],
  ['Audio/Wav', 'audio'],
  ['application/PDF', 'document'],
])('requires for a file of type %s, in any case, the capability %s', (mimeType, capability) => {
  expect(fileCapability(mimeType)).toBe(capability);
});
