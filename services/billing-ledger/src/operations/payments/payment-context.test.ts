import { expect, it } from '@jest/globals';
import type { Processor } from '../../clients/processor.js';
import { requireProcessor } from './payment-context.js';

it('returns the processor that is configured', () => {
  const processor = {} as Processor;
  expect(requireProcessor({ processor })).toBe(processor);
});

it('refuses payments for good where no processor is configured', () => {
  expect(() => requireProcessor({ processor: undefined })).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryable: false }),
  );
});
