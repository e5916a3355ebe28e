import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/errors';
import { isNestedDeeperThan } from '../domain/json-nesting.js';

export const BODY_BYTES_MAX = 32 * 1024 * 1024;
export const NESTING_MAX = 200;

/**
 * Reads a whole request body. One that is too large is swallowed (up to as much again) before the refusal is thrown:
 * a client that is still sending would meet a reset connection instead of the answer.
 *
 * @throws AppError PAYLOAD_TOO_LARGE; INVALID_INPUT when the client goes away or compresses
 */
export async function readBody(req: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<Buffer> {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('INVALID_INPUT', `content encoding ${encoding} is not supported`);
  }
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > bytesMax * 2) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) chunks.push(chunk);
      else if (size > bytesMax * 2) reject(tooLarge(bytesMax));
    });
    req.on('end', () => {
      if (size > bytesMax) reject(tooLarge(bytesMax));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    });
    const gone = (): void => {
      if (!req.readableEnded) reject(new AppError('INVALID_INPUT', 'the request body ended early'));
    };
    req.on('error', gone);
    req.on('close', gone);
  });
}

/** @throws AppError INVALID_INPUT for anything that is not acceptable JSON */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new AppError('INVALID_INPUT', 'the request body is not valid UTF-8');
  if (isNestedDeeperThan(NESTING_MAX, body)) {
    throw new AppError('INVALID_INPUT', `the request body is nested deeper than ${NESTING_MAX} levels`);
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new AppError('INVALID_INPUT', 'the request body is not valid JSON');
  }
}

/** @throws AppError INVALID_INPUT for anything that is not a JSON object */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_INPUT', 'the request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the request body is larger than ${bytesMax} bytes`);
}
