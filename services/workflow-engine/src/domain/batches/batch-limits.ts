const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Limits of files and batches. */
export const batchLimits = {
  /** The vendor's limit for input files. */
  fileBytes: 200 * MIB,
  /** One part of an upload, and of a file that is written here. */
  partBytes: MIB,
  /** All files of a project. */
  projectBytes: 2 * 1024 * MIB,
  projectFiles: 10_000,
  /** All files of a customer, those of its batches included. */
  customerBytes: 512 * MIB,
  customerFiles: 1_000,
  /** Unfinished batches of a project. */
  projectBatches: 50,
  /** Unfinished batches of a customer, with a token or a key of the customer. */
  customerBatches: 10,
  /** The vendor's limit for the requests of a batch. */
  lines: 50_000,
  lineBytes: 16 * MIB,
  /** Input that one step validates, and up to one line more. */
  stepBytes: 8 * MIB,
  /** Text of lines that is validated in one turn of the event loop, and up to one line more. */
  turnChars: 128 * 1024,
  /** How long the previous version leaves a batch alone whose validation has started. */
  previousVersionMs: 600_000,
  /** Characters of a request's `custom_id`. */
  customIdChars: 512,
  /** Characters of the model that a batch names. */
  modelChars: 256,
  /** Invalid lines that a failed batch names. */
  errors: 50,
  /** Uploads that are not completed by then are deleted. */
  uploadMs: HOUR_MS,
  /** The vendor's default for files of batches. */
  fileTtlSeconds: 30 * 24 * 3_600,
  completionWindowMs: 24 * HOUR_MS,
  /** Requests of one account that run at the same time, in all processes, and those of one of its callers. */
  accountConcurrency: 16,
  callerConcurrency: 8,
  /** Requests of batches that run at the same time in one process. */
  slots: 32,
  /** Every line counts towards the bytes that run at the same time. */
  smallBytes: 0,
  /** The largest line. */
  requestBytes: 16 * MIB,
  /** Bodies of requests that run at the same time: of one account and one caller in all processes, and of all in one process. */
  accountBytes: 64 * MIB,
  callerBytes: 32 * MIB,
  slotBytes: 128 * MIB,
  /** A request with the stored items to which it refers, and all such requests that run in one process. */
  expandedBytes: 32 * MIB,
  expandedSlotBytes: 128 * MIB,
  /** Deadline of one request. */
  requestMs: 600_000,
  /** Attempts at a request that its provider fails or refuses temporarily. */
  tries: 5,
  /** Until a step is tried again that failed because the database was unavailable. */
  stepRetryMs: 5_000,
  /** Until files are written again whose writing failed for another reason. */
  brokenStepRetryMs: 600_000,
  /** Lost attempts of one request. */
  lostAttempts: 12,
} as const;
