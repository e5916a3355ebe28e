import { describe, expect, it } from '@jest/globals';
import { claimFaults, customerFaults } from './customer-input.js';

const HALF = '\ud800';
const GOOD = { externalId: 'user-1', email: 'a@example.com', metadataJson: '{}' };
const CLAIM = { email: 'a@example.com', provider: 'github', subject: '1' };

describe('text that PostgreSQL cannot store', () => {
  it.each([
    ['external_id', { externalId: `a${HALF}` }],
    ['external_id', { externalId: 'a\0' }],
    ['email', { email: `a${HALF}@example.com` }],
    ['email', { email: `a@example.com${HALF}` }],
    ['metadata.a', { metadataJson: JSON.stringify({ a: HALF }) }],
    ['metadata.a[0].b', { metadataJson: JSON.stringify({ a: [{ b: HALF }] }) }],
    ['metadata', { metadataJson: JSON.stringify({ [HALF]: 1 }) }],
    ['metadata', { metadataJson: JSON.stringify({ '\0': 1 }) }],
  ])('reports a fault of %s', (field, values) => {
    expect(customerFaults({ ...GOOD, ...values })).toEqual([expect.objectContaining({ field })]);
  });

  it.each(['provider', 'subject', 'email'])('reports a fault of a claim’s %s', (field) => {
    expect(claimFaults({ ...CLAIM, [field]: `a@b.${HALF}` })).toEqual([expect.objectContaining({ field })]);
  });

  it('does not include characters outside of the basic plane', () => {
    const metadataJson = JSON.stringify({ '😀': ['👩‍👧'] });
    expect(customerFaults({ externalId: '😀', email: '😀@example.com', metadataJson })).toEqual([]);
    expect(claimFaults({ ...CLAIM, subject: '😀' })).toEqual([]);
  });
});

describe('invisible text', () => {
  it.each([
    ['nothing', ''],
    ['spaces', '  '],
    ['a no-break space', '\u00a0'],
    ['a zero-width space', '\u200b'],
    ['a tab', '\t'],
  ])('reports a fault of an external id, provider or subject: %s', (_, blank) => {
    expect(customerFaults({ ...GOOD, externalId: blank })).toEqual([expect.objectContaining({ field: 'external_id' })]);
    for (const field of ['provider', 'subject'])
      expect(claimFaults({ ...CLAIM, [field]: blank })).toEqual([expect.objectContaining({ field })]);
  });
});

describe('length limits', () => {
  const buildMetadata = (length: number) => JSON.stringify({ ['😀'.repeat(length)]: 1 });

  it('counts Unicode code points', () => {
    expect(customerFaults({ ...GOOD, externalId: '😀'.repeat(255), metadataJson: buildMetadata(40) })).toEqual([]);
    expect(claimFaults({ ...CLAIM, subject: '😀'.repeat(255) })).toEqual([]);
    const faults = customerFaults({ ...GOOD, externalId: '😀'.repeat(256), metadataJson: buildMetadata(41) });
    expect(faults.map(({ field }) => field)).toEqual(['external_id', `metadata.${'😀'.repeat(41)}`]);
    expect(claimFaults({ ...CLAIM, subject: '😀'.repeat(256) })).toHaveLength(1);
  });
});

it('refuses numbers that JSON cannot represent', () => {
  const faults = customerFaults({ ...GOOD, metadataJson: '{"a":{"b":[1,1e400]}}' });
  expect(faults).toEqual([{ field: 'metadata.a.b[1]', message: 'must be a finite number' }]);
});
