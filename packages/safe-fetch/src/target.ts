import { parseUrl } from '@tollgate/runtime/parse-url';
import { failure, type SafeFetchFailure } from './outcome.js';

/** The target of a URL, before its name is resolved. */
export interface Target {
  protocol: 'https:' | 'http:';
  /** Without brackets and trailing dot. */
  hostname: string;
  /** The host is an IP literal. */
  isLiteral: boolean;
  port: number;
  /** For the HTTP client: scheme, host, port. */
  origin: string;
  /** Path and query. */
  path: string;
}

/** Names under which clouds serve instance metadata. Rejected by name, regardless of their addresses. */
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
]);

/** Ports ≥ 1024 that the Fetch standard blocks, because a server there may interpret HTTP as its own protocol. */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const URL_LENGTH_MAX = 8192;

/**
 * Checks a URL by its text alone. Every spelling of an IPv4 literal (decimal, octal, hexadecimal, short, full-width
 * digits, trailing dot) is converted to its dotted form by the URL parser.
 *
 * Rules: https only, http where private endpoints are allowed; no user name or password; port 443 or ≥ 1024 without the
 * ports that browsers block; where private endpoints are allowed, any port but 0.
 */
export function parseTarget(url: string, allowPrivate: boolean): Target | SafeFetchFailure {
  if (url.length > URL_LENGTH_MAX) return failure('invalid_url', `the URL is longer than ${URL_LENGTH_MAX} characters`);
  const parsed = parseUrl(url);
  if (!parsed) return failure('invalid_url', 'the URL is malformed');
  const { protocol } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return failure('invalid_url', 'the URL must use https');
  if (protocol === 'http:' && !allowPrivate) return failure('invalid_url', 'the URL must use https');
  if (parsed.username !== '' || parsed.password !== '') {
    return failure('invalid_url', 'the URL must not contain a user name or password');
  }
  const isLiteral = parsed.hostname.startsWith('[') || /^[\d.]+$/.test(parsed.hostname);
  const hostname = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (hostname === '') return failure('invalid_url', 'the URL has no host');
  if (metadataNames.has(hostname)) return failure('blocked_address', 'the host may not be called');
  const port = Number(parsed.port || (protocol === 'https:' ? 443 : 80));
  // No server listens at port 0: the system takes it for any free port.
  if (port === 0 || (!allowPrivate && !isAllowedPort(port)))
    return failure('invalid_url', `port ${port} may not be called`);
  const host = parsed.hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return {
    protocol,
    hostname,
    isLiteral,
    port,
    origin: `${protocol}//${host}:${port}`,
    path: `${parsed.pathname}${parsed.search}`,
  };
}

function isAllowedPort(port: number): boolean {
  return port === 443 || (port >= 1024 && !blockedPorts.has(port));
}
