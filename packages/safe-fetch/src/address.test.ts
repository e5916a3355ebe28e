import { describe, expect, it } from '@jest/globals';
import { type AddressClass, classifyAddress, isAllowedAddress, isSameAddress } from './address.js';

const rows: [AddressClass, string, string][] = [
  ['public', 'ordinary IPv4', '93.184.216.34'],
  ['public', 'ordinary IPv4, low', '1.1.1.1'],
  ['public', 'just below 10/8', '9.255.255.255'],
  ['public', 'just above 172.16/12', '172.32.0.0'],
  ['public', 'just below 100.64/10', '100.63.255.255'],
  ['public', 'ordinary IPv6', '2606:4700:4700::1111'],
  ['private', 'loopback', '127.0.0.1'],
  ['private', 'loopback, anywhere in /8', '127.255.255.254'],
  ['private', 'RFC 1918 10/8', '10.0.0.1'],
  ['private', 'RFC 1918 172.16/12', '172.16.0.1'],
  ['private', 'RFC 1918 172.16/12, end', '172.31.255.255'],
  ['private', 'RFC 1918 192.168/16', '192.168.1.1'],
  ['private', 'carrier-grade NAT', '100.64.0.1'],
  ['private', 'carrier-grade NAT, end', '100.127.255.255'],
  ['private', 'IPv6 loopback', '::1'],
  ['private', 'unique local fc00::/8', 'fc00::1'],
  ['private', 'unique local fd00::/8', 'fd12:3456:789a::1'],
  ['metadata', 'AWS, Google, Azure', '169.254.169.254'],
  ['metadata', 'AWS container credentials', '169.254.170.2'],
  ['metadata', 'AWS IPv6', 'fd00:ec2::254'],
  ['metadata', 'AWS IPv6, spelled out', 'FD00:0EC2:0000:0000:0000:0000:0000:0254'],
  ['metadata', 'Google IPv6', 'fd20:ce::254'],
  ['metadata', 'Alibaba, inside carrier-grade NAT', '100.100.100.200'],
  ['metadata', 'Azure wire server, inside public space', '168.63.129.16'],
  ['metadata', 'Oracle', '192.0.0.192'],
  ['metadata', 'v4-mapped', '::ffff:169.254.169.254'],
  ['metadata', 'NAT64', '64:ff9b::a9fe:a9fe'],
  ['metadata', '6to4', '2002:a9fe:a9fe::1'],
  ['forbidden', 'link-local', '169.254.1.1'],
  ['forbidden', 'this network', '0.0.0.0'],
  ['forbidden', '0/8', '0.1.2.3'],
  ['forbidden', 'broadcast', '255.255.255.255'],
  ['forbidden', 'multicast', '224.0.0.1'],
  ['forbidden', 'multicast, end', '239.255.255.255'],
  ['forbidden', 'reserved 240/4', '240.0.0.1'],
  ['forbidden', 'protocol assignments', '192.0.0.8'],
  ['forbidden', 'documentation 1', '192.0.2.1'],
  ['forbidden', 'documentation 2', '198.51.100.7'],
  ['forbidden', 'documentation 3', '203.0.113.9'],
  ['forbidden', 'benchmark', '198.18.0.1'],
  ['forbidden', 'benchmark, end', '198.19.255.255'],
  ['forbidden', '6to4 relay', '192.88.99.1'],
  ['forbidden', 'AS112', '192.175.48.1'],
  ['forbidden', 'AMT', '192.52.193.1'],
  ['forbidden', 'unspecified', '::'],
  ['forbidden', 'v4-compatible', '::7f00:1'],
  ['forbidden', 'v4-mapped loopback', '::ffff:127.0.0.1'],
  ['forbidden', 'v4-mapped public', '::ffff:93.184.216.34'],
  ['forbidden', 'v4-mapped, hexadecimal', '::ffff:7f00:1'],
  ['forbidden', 'v4-translated', '::ffff:0:127.0.0.1'],
  ['forbidden', 'NAT64', '64:ff9b::7f00:1'],
  ['forbidden', 'NAT64, local prefix', '64:ff9b:1::7f00:1'],
  ['forbidden', '6to4', '2002:7f00:1::'],
  ['forbidden', 'Teredo', '2001:0:1234::1'],
  ['forbidden', 'IPv6 link-local', 'fe80::1'],
  ['forbidden', 'IPv6 link-local with zone', 'fe80::1%eth0'],
  ['forbidden', 'IPv6 site-local', 'fec0::1'],
  ['forbidden', 'IPv6 multicast', 'ff02::1'],
  ['forbidden', 'IPv6 documentation', '2001:db8::1'],
  ['forbidden', 'IPv6 documentation, newer', '3fff::1'],
  ['forbidden', 'IPv6 benchmark', '2001:2::1'],
  ['forbidden', 'ORCHID', '2001:20::1'],
  ['forbidden', 'discard', '100::1'],
  ['forbidden', 'segment routing', '5f00::1'],
  ['forbidden', 'outside global unicast', '4000::1'],
  ['forbidden', 'no address', 'example.com'],
  ['forbidden', 'nothing', ''],
];

describe('classifyAddress', () => {
  it.each(rows)('judges as %s: %s (%s)', (kind, _name, address) => {
    expect(classifyAddress(address)).toBe(kind);
    expect(isAllowedAddress(address, false)).toBe(kind === 'public');
    expect(isAllowedAddress(address, true)).toBe(kind === 'public' || kind === 'private');
  });
});

describe('isSameAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', false],
    ['127.0.0.1', '127.0.0.2', false],
    ['x', 'x', false],
  ])('compares %s and %s: %s', (a, b, same) => {
    expect(isSameAddress(a, b)).toBe(same);
  });
});
