/** Limits of a source. Real plugins have up to about fifty agents and a few hundred KB of text. */
export const compileLimits = {
  /** Files that the compiler reads; other files of a repository do not count. */
  files: 5_000,
  fileBytes: 512 * 1024,
  /** Text of all files together. */
  treeBytes: 16 * 1024 * 1024,
  /** A frontmatter is parsed without a break; this much YAML takes up to 50 ms. */
  frontmatterChars: 16 * 1024,
  /** Files, folders and patterns that a manifest lists, per kind. */
  listedPaths: 1_000,
  agents: 200,
  /** Bodies of all agents together. A workflow contains those that it uses. */
  agentBytes: 1024 * 1024,
  commands: 500,
  nameChars: 128,
  pathChars: 1_024,
  warnings: 500,
  /** A repository's archive, as downloaded and unpacked. */
  archiveBytes: 64 * 1024 * 1024,
  unpackedBytes: 768 * 1024 * 1024,
  archiveEntries: 200_000,
  /** Steps of a generated workflow. */
  steps: 100,
  taskChars: 8_000,
  /** Text of the commands in the model's prompt. */
  commandChars: 8_000,
  commandsChars: 60_000,
} as const;
