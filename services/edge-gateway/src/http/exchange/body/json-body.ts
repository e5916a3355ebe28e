import { isUtf8 } from 'node:buffer';
import { AppError } from '@tollgate/errors';
import { scanJson } from '../../../domain/json-bounds.js';
import { BODY_LEVELS_MAX, BODY_MEMBERS_MAX, BODY_NAMES_MAX } from './body-limits.js';

const bounds = { levels: BODY_LEVELS_MAX, members: BODY_MEMBERS_MAX, names: BODY_NAMES_MAX };
const refusals = {
  levels: `the request body is nested deeper than ${BODY_LEVELS_MAX} levels`,
  members: `the request body has more than ${BODY_MEMBERS_MAX} members and elements`,
  names: `the request body has more than ${BODY_NAMES_MAX} members of objects`,
};

/** @throws AppError INVALID_INPUT for invalid JSON, and JSON beyond the bounds */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new AppError('INVALID_INPUT', 'the request body is not valid UTF-8');
  const { exceeded, mayOverflow } = scanJson(body, bounds);
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

/** Finds numbers that overflowed while parsing: JSON would store and forward them as null. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** @throws AppError INVALID_INPUT for a body that is not a JSON object */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_INPUT', 'the request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}
