import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { checkAnonymousRateLimit, clientAddress, rateLimitError } from '../../limits/rate-limit.js';
import type { Middleware } from '../server/steps.js';
import { type ConsoleFile, type ConsoleFiles, readConsoleFiles } from './console-files.js';

const ROOT = '/console';

/** Nothing from another origin, no inline scripts and no inline style sheets, and only in frames of these origins. */
function contentSecurityPolicy(frames: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
  ].join('; ');
}

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy([]),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
};

/** Finds the origins that may embed a project's portal. Rejects to refuse the request. */
type FindFrames = (req: IncomingMessage, projectId: string) => Promise<readonly string[]>;

/**
 * Answers requests under /console and /portal with the files of `packages/console`. A path without a file is a page of the console, which its script shows.
 */
export function consoleHandler(read = readConsoleFiles, findFrames: FindFrames = async () => []): Middleware {
  let reading: Promise<ConsoleFiles | undefined> | undefined;
  const readOnce = () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  return (req, res, next) => {
    const root = toRoot(req);
    if (root === undefined) return next();
    const answered =
      root === ROOT ? answerConsole(req, res, readOnce()) : answerPortal(req, res, readOnce(), findFrames);
    answered.catch(() => writeText(res, 503, 'This page is not available. Try again in a minute.\n'));
  };
}

function toRoot({ method, url = '' }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  return /^\/(console|portal)(?![^/?])/.exec(url)?.[0];
}

async function answerConsole(
  req: IncomingMessage,
  res: ServerResponse,
  reading: Promise<ConsoleFiles | undefined>,
): Promise<void> {
  const files = await reading;
  const path = (req.url as string).slice(ROOT.length).replace(/\?.*$/s, '').replace(/^\//, '');
  const file = files?.get(path) ?? (isPage(path) ? files?.get('index.html') : undefined);
  if (file) writeFile(req, res, file);
  else writeText(res, 404, files ? 'The console has no such file.\n' : NOT_BUILT);
}

/** The path names the project, so that its frames are known before the code in the fragment is read. */
async function answerPortal(
  req: IncomingMessage,
  res: ServerResponse,
  reading: Promise<ConsoleFiles | undefined>,
  findFrames: FindFrames,
): Promise<void> {
  const file = (await reading)?.get('portal.html');
  if (!file) return writeText(res, 404, NOT_BUILT);
  const projectId = /^\/portal\/([0-9a-f-]{36})(?![^?])/.exec(req.url as string)?.[1];
  const frames = projectId === undefined ? [] : await findFrames(req, projectId);
  writeFile(req, res, file, { 'Content-Security-Policy': contentSecurityPolicy(frames) });
}

const NOT_BUILT = 'The console is not built: npm run build.\n';

/** Files have an extension; pages of the console have none. */
function isPage(path: string): boolean {
  return !path.startsWith('assets/') && !/\.\w{2,5}$/.test(path);
}

function writeFile(
  req: IncomingMessage,
  res: ServerResponse,
  { type, cacheControl, bodies }: ConsoleFile,
  more: OutgoingHttpHeaders = {},
): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const { coding, bytes, etag } = bodies.find((body) => accepts(accepted, body.coding)) ?? bodies.at(-1)!;
  const headers = { ...HEADERS, ...more, 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag };
  const encoded = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  if (isKnown(req, etag)) end(res, 304, headers);
  else
    end(
      res,
      200,
      { ...headers, ...encoded, 'Content-Length': bytes.length },
      req.method === 'HEAD' ? undefined : bytes,
    );
}

/** A coding with a quality of zero is refused. */
function accepts(header: string, coding: string): boolean {
  if (coding === 'identity') return true;
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag);
}

function writeText(res: ServerResponse, status: number, text: string): void {
  const type = 'text/plain; charset=utf-8';
  end(res, status, { ...HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store' }, Buffer.from(text));
}

function end(res: ServerResponse, status: number, headers: OutgoingHttpHeaders, body?: Buffer): void {
  res.writeHead(status, headers);
  res.end(body);
}

/** Reads a project's setting, within the limit of requests without a credential. An unknown project allows no frame. */
export function portalFrames(ctx: Pick<Context, 'config' | 'directory' | 'rateStore'>): FindFrames {
  return async (req, projectId) => {
    const outcome = await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx);
    if (!outcome.ok) throw rateLimitError(outcome);
    if (!isLowerCaseUuid(projectId)) return [];
    return (await ctx.directory.portal(projectId))?.origins ?? [];
  };
}
