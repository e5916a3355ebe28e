import type { FieldError } from '@tollgate/errors';

/** SPEC "Customer": metadata constraints; DECISIONS 3.1: the top object is level 1, bytes of compact JSON. */
const METADATA_BYTES_MAX = 10_240;
const METADATA_KEY_LENGTH_MAX = 40;
const METADATA_DEPTH_MAX = 5;
const EXTERNAL_ID_LENGTH_MAX = 255;
const EMAIL = /^[^\s@\0\p{Cs}]+@[^\s@\0\p{Cs}]+\.[^\s@\0\p{Cs}]+$/u;
/** PostgreSQL cannot store NUL and unpaired surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const STORABLE = 'must be Unicode text without NUL';
const EMAIL_LENGTH_MAX = 320;
const IDENTITY_LENGTH_MAX = 255;

export interface CustomerInput {
  externalId: string;
  email: string;
  /** If absent: unchanged on update, empty on create. */
  metadataJson?: string | undefined;
}

/** Returns all faults; empty for valid input. */
export function customerFaults(input: CustomerInput): FieldError[] {
  const faults: FieldError[] = [];
  if (isBlank(input.externalId) || isLongerThan(EXTERNAL_ID_LENGTH_MAX, input.externalId)) {
    faults.push({
      field: 'external_id',
      message: `must have 1 to ${EXTERNAL_ID_LENGTH_MAX} characters, not only blanks`,
    });
  }
  if (input.email.length > EMAIL_LENGTH_MAX || !EMAIL.test(input.email))
    faults.push({ field: 'email', message: 'must be a valid email address' });
  if (UNSTORABLE.test(input.externalId)) faults.push({ field: 'external_id', message: STORABLE });
  if (input.metadataJson !== undefined) faults.push(...metadataFaults(input.metadataJson));
  return faults;
}

/** Returns all faults of a claim of a customer by an external identity. */
export function claimFaults(claim: { email: string; provider: string; subject: string }): FieldError[] {
  const faults: FieldError[] = [];
  if (claim.email.length > EMAIL_LENGTH_MAX || !EMAIL.test(claim.email))
    faults.push({ field: 'email', message: 'must be a valid email address' });
  for (const field of ['provider', 'subject'] as const) {
    const value = claim[field];
    if (isBlank(value) || isLongerThan(IDENTITY_LENGTH_MAX, value))
      faults.push({ field, message: `must have 1 to ${IDENTITY_LENGTH_MAX} characters, not only blanks` });
    else if (UNSTORABLE.test(value)) faults.push({ field, message: STORABLE });
  }
  return faults;
}

/** Whether the text is empty or has only invisible characters: white space and format characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}\p{Zs}]/u.test(text);
}

/** Counts Unicode code points; each takes one or two UTF-16 units. */
function isLongerThan(max: number, text: string): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

function metadataFaults(json: string): FieldError[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [{ field: 'metadata', message: 'must be a JSON object' }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: 'metadata', message: 'must be a JSON object' }];
  if (Buffer.byteLength(JSON.stringify(value)) > METADATA_BYTES_MAX)
    return [{ field: 'metadata', message: 'must be at most 10 KB in total' }];
  return nestingFaults(value, 'metadata', 1);
}

function nestingFaults(value: unknown, path: string, depth: number): FieldError[] {
  if (typeof value === 'string' && UNSTORABLE.test(value)) return [{ field: path, message: STORABLE }];
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ field: path, message: 'must be a finite number' }];
  if (typeof value !== 'object' || value === null) return [];
  if (depth > METADATA_DEPTH_MAX)
    return [{ field: path, message: `must be nested at most ${METADATA_DEPTH_MAX} levels deep` }];
  if (Array.isArray(value)) return value.flatMap((item, i) => nestingFaults(item, `${path}[${i}]`, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => {
    if (isLongerThan(METADATA_KEY_LENGTH_MAX, key))
      return [{ field: `${path}.${key}`, message: `key must have at most ${METADATA_KEY_LENGTH_MAX} characters` }];
    if (UNSTORABLE.test(key)) return [{ field: path, message: `keys ${STORABLE}` }];
    return nestingFaults(item, `${path}.${key}`, depth + 1);
  });
}
