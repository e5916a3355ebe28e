import { z } from 'zod';
import { parseUrl, splitHosts } from './parse-url.js';

/**
 * Builders for the kinds of settings that services have. Each parses text and returns the typed value; combine them with
 * `.default(…)` (a typed value) and `.optional()`.
 */
export const fields = { port, url, databaseUrl, csv, bool, durationMs, integer, text, secret, choice };

/** A TCP port; 0 lets the system choose. */
function port() {
  return parsed('a port number from 0 to 65535', (text) => inRange(wholeNumber(text), 0, 65_535));
}

/** An absolute URL of one of the given protocols (default http, https), without its trailing slash. */
function url(...protocols: string[]) {
  const allowed = protocols.length > 0 ? protocols : ['http', 'https'];
  return parsed(`a URL starting with ${allowed.map((name) => `${name}://`).join(' or ')}`, (text) => {
    const protocol = parseUrl(text)?.protocol.slice(0, -1);
    return protocol !== undefined && allowed.includes(protocol) ? text.replace(/\/$/, '') : undefined;
  });
}

/** The values of libpq that ask for the server that accepts writes. No other server is used. */
const WRITABLE = new Set([null, 'any', 'read-write', 'primary']);

/** The URL of a PostgreSQL database. It may name several hosts; the host that accepts writes is used. */
function databaseUrl() {
  const expectation =
    'postgresql://user:password@host:port/database, or several host:port separated by commas, ' +
    'and target_session_attrs only as read-write, primary or any';
  return parsed(expectation, (text) => {
    const hosts = splitHosts(text)?.map((url) => new URL(url));
    const areAccepted = hosts?.every(
      ({ protocol, searchParams }) =>
        /^postgres(ql)?:$/.test(protocol) && WRITABLE.has(searchParams.get('target_session_attrs')),
    );
    return areAccepted ? text.replace(/\/$/, '') : undefined;
  });
}

/** Comma-separated words; drops surrounding blanks and empty words. */
function csv() {
  return parsed('a comma-separated list', (text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
}

function bool() {
  return parsed('1, true, 0 or false', (text) => {
    const word = text.trim().toLowerCase();
    if (word === '1' || word === 'true') return true;
    return word === '0' || word === 'false' ? false : undefined;
  });
}

const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time: `250`, `250ms`, `15s`, `10m`, `24h`, `7d`; returns milliseconds. */
function durationMs() {
  return parsed('a length of time such as 250ms, 15s, 10m, 24h or 7d', (text) => {
    const match = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text.trim());
    if (!match) return undefined;
    const result = Number(match[1]) * unitsMs[match[2] ?? 'ms']!;
    return Number.isSafeInteger(result) ? result : undefined;
  });
}

/** A whole number within the bounds (inclusive). */
function integer(min = 0, max = Number.MAX_SAFE_INTEGER) {
  return parsed(`a whole number from ${min} to ${max}`, (text) => inRange(wholeNumber(text), min, max));
}

function text() {
  return z.string();
}

/** Text of at least `minLength` characters that must never be shown. */
function secret(minLength = 1) {
  return parsed(`a secret of at least ${minLength} characters`, (text) =>
    text.length >= minLength ? text : undefined,
  );
}

function choice<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values);
}

function parsed<T>(expectation: string, parse: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: `expected ${expectation}`, input: undefined });
    return z.NEVER;
  });
}

function wholeNumber(text: string): number | undefined {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function inRange(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
