/** How schemas of clients are compiled, for `ajv`: without formats, references to other documents and messages. */
export const SCHEMA_COMPILER_SETTINGS = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  meta: false,
  logger: false,
} as const;

/** Larger schemas are not checked: compiling them would block the event loop. */
export const CHECKED_SCHEMA_CHARS_MAX = 64 * 1024;
/** A small schema can take exponential time. Ordinary ones take a few milliseconds. */
export const SCHEMA_CHECK_MS_MAX = 250;
export const SCHEMA_TOO_SLOW = 'takes too long to check; make it simpler';
