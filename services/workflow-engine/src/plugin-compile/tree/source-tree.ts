/** Something that was read all the same, and is not what it may have been meant to be. */
export interface Warning {
  file: string;
  /** Of the frontmatter or of the manifest; or what the file as a whole is about. */
  key: string;
  message: string;
  /** From 1, where it is known. */
  line?: number;
}

/** A plugin's or skill's files, without anything that leads out of them. */
export interface SourceTree {
  /** By path relative to the root, sorted by it. */
  files: ReadonlyMap<string, SourceFile>;
  warnings: readonly Warning[];
}

export interface SourceFile {
  text: string;
  /** The file that this one is a link to; its own path otherwise. Two paths of one file are one agent. */
  realPath: string;
}

/** Sorted by path, so that nothing depends on the order in which files were given or packed. */
export function sortedByPath<T>(entries: Iterable<[string, T]>): Map<string, T> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/**
 * A relative path in its one spelling: `./` and doubled slashes gone. Undefined for what is no path inside of a folder:
 * absolute, with `..`, with backslashes or control characters, empty.
 */
export function cleanPath(path: string): string | undefined {
  if (path.startsWith('/') || /[\\\p{Cc}\p{Cs}]/u.test(path) || /^[A-Za-z]:/.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}
