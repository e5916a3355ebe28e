import { AppError } from '@tollgate/errors';
import { type Address, parseAddress } from '../domain/address.js';

/** Parses an address. @throws AppError VALIDATION_ERROR naming the field */
export function readAddress(text: string, field: string): Address {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  throw new AppError('VALIDATION_ERROR', `${field}: ${parsed.reason}`, { fields: [{ field, message: parsed.reason }] });
}
