/** Bounds of what a source may be. Real plugins have up to some fifty agents and a few hundred KB of text. */
export const compileLimits = {
  /** Files that are looked at; others of a repository are passed over. */
  files: 5_000,
  fileBytes: 512 * 1024,
  /** Texts of all files together. */
  treeBytes: 16 * 1024 * 1024,
  frontmatterChars: 64 * 1024,
  agents: 200,
  /** Bodies of all agents together: a workflow carries those it uses. */
  agentBytes: 1024 * 1024,
  commands: 500,
  nameChars: 128,
  pathChars: 1_024,
  warnings: 500,
  /** A repository's archive as it is sent, and unpacked. */
  archiveBytes: 64 * 1024 * 1024,
  unpackedBytes: 768 * 1024 * 1024,
  archiveEntries: 200_000,
  /** Steps of a generated workflow. */
  steps: 100,
  taskChars: 8_000,
  /** What of the commands a model is shown. */
  commandChars: 8_000,
  commandsChars: 60_000,
} as const;
