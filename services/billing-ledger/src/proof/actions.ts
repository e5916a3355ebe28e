/** A command with its ids. It is performed on the real ledger and replayed on the reference ledger. */
export type Action =
  | { kind: 'tier'; code: string; mode: 'subscription' | 'paygo'; limitCents: bigint | undefined; hasOverage: boolean }
  | { kind: 'tier_limit'; code: string; limitCents: bigint | undefined }
  | { kind: 'customer'; customerId: string; tierCode: string }
  | { kind: 'subscribe'; customerId: string; tierCode: string; status: string }
  | { kind: 'account_limit'; limit: 'daily_cap' | 'quota'; amount: bigint | undefined }
  | { kind: 'grant'; customerId: string | undefined; amount: bigint; reason: string; cause: string }
  | { kind: 'admit'; payer: PayerId; asks: Ask[]; supersedes: string | undefined; partOf?: string }
  | { kind: 'extend'; holdId: string; extension: number; input: bigint; maxOutput: number | undefined }
  | { kind: 'progress'; holdId: string; used: Used }
  | { kind: 'settle'; holdId: string; used: Used; isInDoubt: boolean }
  | { kind: 'expire'; holdId: string }
  | { kind: 'advance'; byMs: number };

/** The payer: a customer, a key with or without a limit, or a customer of a project that bills outside of Tollgate. */
export interface PayerId {
  customerId: string | undefined;
  keyId: string | undefined;
  keyLimit: bigint | undefined;
  byob: boolean;
}

export interface Ask {
  holdId: string;
  model: 'text' | 'image';
  input: bigint;
  maxOutput: number | undefined;
  images: number;
  isLoose: boolean;
}

export interface Used {
  input: bigint;
  output: bigint;
  images: bigint;
}

/** The response of a command as comparable values. */
export type Answer = Record<string, string | number | boolean | bigint>;
