import { type Address, formatAddress, parseAddress } from './address.js';

/** An address that received messages. */
export interface Mailbox {
  address: string;
  /** Counted up to a bound. */
  unreadCount: number;
  /** When its newest message was sent. */
  lastMessageAt: Date;
  lastSubject: string;
}

/** Returns the place of a mailbox in the list, without the project's id, which every request has. */
export function toMailboxCursor(address: string): string {
  return Buffer.from(address.replace(/@.*$/, '')).toString('base64url');
}

/** Returns the address in a cursor, in the caller's project; undefined for text that `toMailboxCursor` has not made. */
export function fromMailboxCursor(cursor: string, projectId: string): string | undefined {
  const name = Buffer.from(cursor, 'base64url').toString();
  const parsed = parseAddress(name.startsWith('agent:') ? `${name}@${projectId}` : name);
  return parsed.ok ? formatAddress(toOwn(parsed.address, projectId)) : undefined;
}

function toOwn(address: Address, projectId: string): Address {
  return address.kind === 'agent' ? { ...address, projectId } : address;
}
