import { v5 } from 'uuid';

const MIB = 1024 * 1024;

/** A constant of the index of waiting responses. */
const SMALL_BYTES = 262_144;

/** Limits of responses that are made in the background. */
export const backgroundLimits = {
  /** Unfinished responses of a project, and of one of its customers. */
  projectResponses: 200,
  customerResponses: 20,
  /** Requests of unfinished responses. */
  projectBytes: 256 * MIB,
  customerBytes: 64 * MIB,
  requestBytes: 32 * MIB,
  /** Ended responses of one caller, and of one project with its customers; the oldest make room for the next. */
  callerEndedResponses: 2_000,
  callerEndedBytes: 64 * MIB,
  projectEndedResponses: 20_000,
  projectEndedBytes: 1024 * MIB,
  /** Members that an ended response without an answer repeats from its request. */
  endedHeadBytes: 16 * 1024,
  /** Events of one response: further ones are left out, up to its last one. */
  events: 100_000,
  eventBytes: 16 * MIB,
  /** Events of the ended responses of a project; those of the oldest make room. */
  projectEventBytes: 256 * MIB,
  /** From the acceptance of a request to the end of its response. */
  timeoutMs: 3_600_000,
  /** Responses of one account that run at the same time, in all processes, and those of one of its callers. */
  accountConcurrency: 32,
  callerConcurrency: 16,
  /** Larger requests count towards the bytes that run at the same time; smaller ones wait for none of them. */
  smallBytes: SMALL_BYTES,
  /** Large requests of one account that run at the same time, in all processes, and those of one of its callers. */
  accountBytes: 64 * MIB,
  callerBytes: 32 * MIB,
  /** Responses that run at the same time in one process, and the bytes of their large requests. */
  slots: 128,
  slotBytes: 128 * MIB,
  /** Attempts at a request that its provider fails or refuses temporarily. */
  tries: 5,
  /** Lost attempts of one request. */
  lostAttempts: 12,
} as const;

/** Returns the hold of one attempt, which any process derives. The edge holds the funds of the first one. */
export function backgroundHoldId(id: string, attempt: number): string {
  return attempt === 1 ? id : v5(`hold/${attempt}`, id);
}

/** How a background request is sent, and how its answer is stored. */
export interface BackgroundOptions {
  previousKey: string;
  historyItems: number;
  conversationKey: string;
  usesCache: boolean;
  betas: readonly string[];
}
