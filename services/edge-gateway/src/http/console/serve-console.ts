import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type ConsoleFile, type ConsoleFiles, readConsoleFiles } from './console-files.js';

const ROOT = '/console';

/** Nothing from another origin, no inline scripts and no inline style sheets, in no frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
};

/**
 * Returns a function that answers requests under /console with the files of `packages/console`, and returns whether it did.
 * A path without a file is a page of the console, which its script shows.
 */
export function consoleHandler(read = readConsoleFiles): (req: IncomingMessage, res: ServerResponse) => boolean {
  let files: Promise<ConsoleFiles | undefined> | undefined;
  return (req, res) => {
    if (!isConsole(req)) return false;
    files ??= read();
    files.then(
      (known) => answer(req, res, known),
      () => {
        files = undefined;
        writeText(res, 503, 'The console cannot be read.\n');
      },
    );
    return true;
  };
}

function isConsole({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/console(?![^/?])/.test(url);
}

function answer(req: IncomingMessage, res: ServerResponse, files: ConsoleFiles | undefined): void {
  const path = (req.url as string).slice(ROOT.length).replace(/\?.*$/s, '').replace(/^\//, '');
  const file = files?.get(path) ?? (isPage(path) ? files?.get('index.html') : undefined);
  if (file) writeFile(req, res, file);
  else writeText(res, 404, files ? 'The console has no such file.\n' : 'The console is not built: npm run build.\n');
}

/** Files have an extension; pages of the console have none. */
function isPage(path: string): boolean {
  return !path.startsWith('assets/') && !/\.\w{2,5}$/.test(path);
}

function writeFile(req: IncomingMessage, res: ServerResponse, { type, cacheControl, bodies }: ConsoleFile): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const { coding, bytes, etag } = bodies.find((body) => accepts(accepted, body.coding)) ?? bodies.at(-1)!;
  const headers = { ...HEADERS, 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag };
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
