import { isUtf8 } from 'node:buffer';
import { hasInfinity, requestJsonBounds, scanJson } from '@tollgate/api/values';
import { AppError } from '@tollgate/errors';

const { levels, members, names } = requestJsonBounds;
const refusals = {
  levels: `the request body is nested deeper than ${levels} levels`,
  members: `the request body has more than ${members} members and elements`,
  names: `the request body has more than ${names} members of objects`,
};

/** @throws AppError INVALID_INPUT for invalid JSON, and JSON beyond the bounds */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new AppError('INVALID_INPUT', 'the request body is not valid UTF-8');
  const { exceeded, mayOverflow } = scanJson(body, requestJsonBounds);
  if (exceeded) throw new AppError('INVALID_INPUT', refusals[exceeded]);
  const value = parsed(body);
  if (mayOverflow && hasInfinity(value)) {
    throw new AppError('INVALID_INPUT', 'the request body has a number that is too large');
  }
  return value;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new AppError('INVALID_INPUT', 'the request body is not valid JSON');
  }
}

/** @throws AppError INVALID_INPUT for a body that is not a JSON object */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_INPUT', 'the request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}
