import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classifyAddress, isAllowedAddress } from './address.js';
import { checkUrl } from './safe-fetch.js';
import { registryClass, specialRanges } from './testing/iana-registry.js';

const RUNS = { numRuns: 5_000 };

const v4Text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const v6Text = (value: bigint) =>
  Array.from({ length: 8 }, (_, part) => ((value >> BigInt(112 - 16 * part)) & 0xffffn).toString(16)).join(':');

function v4Value(address: string): number {
  return address.split('.').reduce((value, part) => value * 256 + Number(part), 0);
}
function v6Value(address: string): bigint {
  const [head = '', tail = ''] = address.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array(8 - parts(head).length - parts(tail).length).fill('0');
  return [...parts(head), ...zeros, ...parts(tail)].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

/** First and last address of every special range, their neighbors outside, and any inside. */
const v4Ranges = specialRanges
  .filter(([network]) => network.includes('.'))
  .map(([network, prefix]) => {
    const first = v4Value(network);
    return [first, first + 2 ** (32 - prefix) - 1] as const;
  });
const v6Ranges = specialRanges
  .filter(([network]) => network.includes(':'))
  .map(([network, prefix]) => {
    const first = v6Value(network);
    return [first, first + 2n ** BigInt(128 - prefix) - 1n] as const;
  });
const V6_LAST = 2n ** 128n - 1n;

const v4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc
    .constantFrom(...v4Ranges)
    .chain(([first, last]) =>
      fc.oneof(
        fc.constantFrom(first, last, Math.max(0, first - 1), Math.min(2 ** 32 - 1, last + 1)),
        fc.integer({ min: first, max: last }),
      ),
    ),
);
const v6 = fc.oneof(
  fc.bigInt({ min: 0n, max: V6_LAST }),
  fc.bigInt({ min: v6Value('2000::'), max: v6Value('4000::') }),
  fc
    .constantFrom(...v6Ranges)
    .chain(([first, last]) =>
      fc.oneof(
        fc.constantFrom(first, last, first > 0n ? first - 1n : first, last < V6_LAST ? last + 1n : last),
        fc.bigInt({ min: first, max: last }),
      ),
    ),
);

/** IPv6 addresses that embed an IPv4 address, at every position where translators look for one. */
const carrying = fc
  .tuple(v4, fc.constantFrom('::', '::ffff:0:0', '::ffff:0:0:0', '64:ff9b::', '64:ff9b:1::', '2002::', '2001::'))
  .map(([value, network]) => {
    const shift = network === '2002::' ? 80n : 0n;
    return v6Value(network) | (BigInt(value) << shift);
  });

/** Addresses of cloud metadata services, although the registries may call them public or private. */
const isMetadata = (address: string) => classifyAddress(address) === 'metadata';

function agrees(address: string): void {
  const registry = registryClass(address);
  const allowed = [isAllowedAddress(address, false), isAllowedAddress(address, true)];
  if (isMetadata(address)) expect([address, ...allowed]).toEqual([address, false, false]);
  else expect([address, ...allowed]).toEqual([address, registry === 'public', registry !== 'special']);
}

describe('an address is allowed exactly when the registries call it public', () => {
  it('agrees with the registries for every IPv4 address', () => {
    fc.assert(
      fc.property(v4, (value) => agrees(v4Text(value))),
      RUNS,
    );
  });

  it('agrees with the registries for every IPv6 address', () => {
    fc.assert(
      fc.property(v6, (value) => agrees(v6Text(value))),
      RUNS,
    );
  });

  it('forbids every address that carries another address', () => {
    fc.assert(
      fc.property(carrying, (value) => {
        const address = v6Text(value);
        agrees(address);
        expect([address, isAllowedAddress(address, false)]).toEqual([address, false]);
      }),
      RUNS,
    );
  });
});

describe('a URL with an address in it', () => {
  const octet = (value: number, form: number) =>
    [String(value), `0${value.toString(8)}`, `0x${value.toString(16)}`, `0X${value.toString(16).padStart(4, '0')}`][
      form
    ]!;
  const forms = fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 3 })));

  /** Four, three, two or one number, each decimal, octal or hexadecimal. */
  function spell(value: number, numbers: number, form: readonly number[]): string {
    const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
    const rest = bytes.slice(numbers - 1).reduce((sum, byte) => sum * 256 + byte, 0);
    return [...bytes.slice(0, numbers - 1), rest].map((part, at) => octet(part, form[at]!)).join('.');
  }

  it('judges a URL by its IPv4 address, however it is spelled', () => {
    const spelled = fc.tuple(v4, fc.integer({ min: 1, max: 4 }), forms, fc.constantFrom('', '.'));
    fc.assert(
      fc.property(spelled, ([value, numbers, form, dot]) => {
        const url = `https://${spell(value, numbers, form)}${dot}/`;
        expect([url, checkUrl(url) === undefined]).toEqual([url, isAllowedAddress(v4Text(value), false)]);
      }),
      RUNS,
    );
  });

  it('judges a URL by its IPv6 address in brackets', () => {
    fc.assert(
      fc.property(fc.oneof(v6, carrying), (value) => {
        const url = `https://[${v6Text(value)}]:8443/`;
        expect([url, checkUrl(url) === undefined]).toEqual([url, isAllowedAddress(v6Text(value), false)]);
      }),
      RUNS,
    );
  });
});

describe('text that is not a canonical address', () => {
  it.each([
    '0177.0.0.1',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.2056',
    '8.8.8.8 ',
    '2606:4700::1%eth0',
    '[2606:4700::1]',
  ])('forbids %s from a name server because others may read it as another address', (address) => {
    expect(classifyAddress(address)).toBe('forbidden');
    expect(isAllowedAddress(address, true)).toBe(false);
  });
});
