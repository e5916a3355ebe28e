/** Limits of the data and the arguments of tools. Bytes are bytes of UTF-8. */
export const toolLimits = {
  keyBytes: 128,
  valueBytes: 32_768,
  /** All values of one scope together. */
  totalBytes: 131_072,
  keys: 256,
  /** Tasks of one scope; the contract names no bound. */
  tasks: 500,
  /** Contents of all tasks of one scope together; the contract names no bound. */
  tasksBytes: 131_072,
  memoryBytes: 32_768,
  searchResults: 20,
  fetchedChars: 200_000,
  inboxMessages: 50,
} as const;
