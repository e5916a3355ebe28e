import { expect, it } from '@jest/globals';
import { fileCapability } from './native-request.js';

it.each([
  ['image/png', 'vision'],
  ['IMAGE/PNG', 'vision'],
  ['Audio/Wav', 'audio'],
  ['application/PDF', 'document'],
])('asks for what a file of type %s needs, in any case: %s', (mimeType, capability) => {
  expect(fileCapability(mimeType)).toBe(capability);
});
