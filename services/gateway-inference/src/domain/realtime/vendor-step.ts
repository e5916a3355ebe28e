import type { ResponseUsage } from './response-usage.js';

/** A response for which funds are to be held before the vendor is asked. */
export interface Ask {
  /** Upper bound of the input, with what audio and images cost above text. */
  inputTokens: number;
  maxOutputTokens: number;
}

/** How a response ended. */
export interface ResponseEnd {
  responseId: string;
  /** `completed`, `cancelled`, `incomplete` or `failed`. */
  status: string;
  /** Undefined when the vendor reported none. */
  usage: ResponseUsage | undefined;
}

/** What an event of the vendor means for money. */
export type VendorStep =
  | { kind: 'pass' }
  | { kind: 'created' }
  | { kind: 'ended'; end: ResponseEnd }
  /** The vendor refused to create the response: it costs nothing. */
  | { kind: 'rejected' }
  /** The vendor generates a response that it was not asked for. */
  | { kind: 'stray'; responseId: string }
  /** The vendor writes down an item, which is in `speechMs` of speech. */
  | { kind: 'transcribing'; itemId: string; speechMs: number }
  /** It has written the item down, or failed to. */
  | { kind: 'transcribed'; itemId: string; hasFailed: boolean; usage: unknown };
