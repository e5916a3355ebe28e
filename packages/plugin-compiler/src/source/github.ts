import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Clock, Logger } from '@tollgate/runtime';
import { parseUrl } from '@tollgate/runtime/parse-url';
import type { SafeFetchClient, SafeFetchResponse } from '@tollgate/safe-fetch';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import type { GithubSource } from './github-source.js';

export interface GithubOptions {
  apiUrl: string;
  codeloadUrl: string;
  /** Raises the rate limit. Never sent to codeload, so private content stays unreadable. */
  token: string | undefined;
  /** Whether the operator's addresses may be private. */
  allowPrivate: boolean;
  fetch: SafeFetchClient['fetch'];
  clock: Clock;
  logger: Logger;
}

/** Both functions return undefined when the source does not exist or is not public. */
export interface Github {
  resolveCommit(source: GithubSource, call: Call): Promise<string | undefined>;
  downloadArchive(source: GithubSource, commit: string, call: Call): Promise<Buffer | undefined>;
}

const RESOLVE_TIMEOUT_MS = 10_000;
/** A commit as JSON contains up to 300 files with their patches. */
const COMMIT_BYTES_MAX = 8 * 1024 * 1024;
/** Renamed repositories redirect. */
const REDIRECTS_MAX = 2;
const RETRY_AFTER_DEFAULT_SECONDS = 60;
/** The part of an error response that is searched. */
const MESSAGE_BYTES = 4_096;

/** Creates a client of GitHub's REST and codeload endpoints. It follows no redirect to another host. */
export function createGithub(options: GithubOptions): Github {
  const { apiUrl, codeloadUrl, token } = options;
  return {
    async resolveCommit({ owner, repo, ref }, call) {
      const url = `${apiUrl}/repos/${owner}/${repo}/commits/${ref.split('/').map(encodeURIComponent).join('/')}`;
      const headers = {
        accept: 'application/vnd.github.sha',
        'x-github-api-version': '2022-11-28',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const limits = { timeoutMs: RESOLVE_TIMEOUT_MS, maxResponseBytes: COMMIT_BYTES_MAX };
      const response = await get(options, url, { headers, ...limits }, call);
      return response && readCommit(response.body.toString('utf8'));
    },
    async downloadArchive({ owner, repo }, commit, call) {
      const url = `${codeloadUrl}/${owner}/${repo}/tar.gz/${commit}`;
      const limits = { timeoutMs: call.remainingMs(), maxResponseBytes: compileLimits.archiveBytes };
      return (await get(options, url, { headers: {}, ...limits }, call))?.body;
    },
  };
}

interface Get {
  headers: Record<string, string>;
  timeoutMs: number;
  maxResponseBytes: number;
}

/**
 * @throws AppError rate_limited, parse_failed for a response that is too large, SERVICE_UNAVAILABLE with a logged cause
 */
async function get(options: GithubOptions, url: string, init: Get, call: Call): Promise<SafeFetchResponse | undefined> {
  try {
    return await getOnSameHost(options, url, init, call);
  } catch (error) {
    const cause = isAppError(error) && error.code === 'SERVICE_UNAVAILABLE' ? error.cause : undefined;
    if (cause !== undefined)
      options.logger.warn({ err: cause, url, request_id: call.requestId }, 'GitHub request failed');
    throw error;
  }
}

async function getOnSameHost(
  options: GithubOptions,
  url: string,
  init: Get,
  call: Call,
): Promise<SafeFetchResponse | undefined> {
  const headers = { 'user-agent': 'tollgate', 'accept-encoding': 'identity', ...init.headers };
  let target = url;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const result = await options.fetch(target, {
      headers,
      maxResponseBytes: init.maxResponseBytes,
      timeoutMs: Math.max(1, Math.min(init.timeoutMs, call.remainingMs())),
      allowPrivate: options.allowPrivate,
      signal: call.signal,
    });
    if (!result.ok) {
      if (result.reason === 'too_large') throw parseFailed(`the repository is over ${init.maxResponseBytes} bytes`);
      throw unavailable(result.cause ?? new Error(result.message));
    }
    const next = findRedirect(target, result);
    if (next === undefined) return toResult(result, options.clock);
    target = next;
  }
  throw unavailable(new Error('too many redirects'));
}

/** Returns the redirect's target, which must be on the same host. */
function findRedirect(url: string, { status, headers }: SafeFetchResponse): string | undefined {
  if (![301, 302, 307, 308].includes(status) || typeof headers.location !== 'string') return undefined;
  const next = parseUrl(headers.location, url);
  if (!next) throw unavailable(new Error('the redirect has no valid address'));
  if (next.origin !== new URL(url).origin) throw unavailable(new Error(`the redirect leads to ${next.origin}`));
  return next.href;
}

function toResult(response: SafeFetchResponse, clock: Clock): SafeFetchResponse | undefined {
  const { status } = response;
  if (status === 200) return response;
  const waitSeconds = readRateLimit(response, clock);
  if (waitSeconds !== undefined) {
    const message = 'the rate limit of GitHub is exceeded';
    throw new AppError('rate_limited', message, { retryAfterSeconds: waitSeconds });
  }
  // 409: an empty repository; 422: no commit of that name; 451: taken down.
  if ([403, 404, 409, 410, 422, 451].includes(status)) return undefined;
  throw unavailable(new Error(`GitHub answered ${status}`));
}

/** Returns the seconds to wait; undefined when the response is not a rate limit. */
function readRateLimit({ status, headers, body }: SafeFetchResponse, clock: Clock): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const retryAfter = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined) {
    return Number.isFinite(retryAfter) ? whole(retryAfter) : RETRY_AFTER_DEFAULT_SECONDS;
  }
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset']);
    return Number.isFinite(reset) ? whole(reset - clock.nowMs() / 1000) : RETRY_AFTER_DEFAULT_SECONDS;
  }
  // Secondary limits may be recognizable by their message only.
  const isLimit = status === 429 || /rate limit/i.test(body.toString('utf8', 0, MESSAGE_BYTES));
  return isLimit ? RETRY_AFTER_DEFAULT_SECONDS : undefined;
}

function whole(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/** Reads the bare id, or the commit as JSON from servers that support only that form. */
function readCommit(body: string): string {
  const text = body.trim();
  const id = /^[0-9a-f]{40}$/.test(text) ? text : idInJson(text);
  if (id === undefined) throw unavailable(new Error('GitHub returned no commit id'));
  return id;
}

function idInJson(text: string): string | undefined {
  try {
    const { sha } = JSON.parse(text) as { sha?: unknown };
    return typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) ? sha : undefined;
  } catch {
    return undefined;
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'GitHub could not be reached', { cause, layer: 'upstream' });
}
