export type CompileKind = 'plugin' | 'skill';

/** A part of the source that was compiled although it may not mean what its author intended. */
export interface Warning {
  file: string;
  /** A key of the frontmatter or of the manifest, or the kind of file when the warning is about the whole file. */
  key: string;
  message: string;
  /** Counts from 1. Undefined when unknown. */
  line?: number;
}

/** The files of a plugin or skill, without links and paths that lead outside. */
export interface SourceTree {
  /** By path relative to the root, sorted by path. */
  files: ReadonlyMap<string, SourceFile>;
  warnings: readonly Warning[];
  /** Paths of files that instructions may refer to and that are not among `files`, sorted. */
  supporting: readonly string[];
}

export interface SourceFile {
  text: string;
  /** The target if the file is a link, otherwise its own path. Two paths of one file are one agent. */
  realPath: string;
}

/** Sorts entries by path, so that nothing depends on the order in which files were sent or packed. */
export function sortedByPath<T>(entries: Iterable<[string, T]>): Map<string, T> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The most paths in one message. */
const PATHS_MAX = 50;

/** Joins paths for a message; `…` stands for further ones. */
export function joinPaths(paths: readonly string[]): string {
  return paths.slice(0, PATHS_MAX).join(', ') + (paths.length > PATHS_MAX ? ', …' : '');
}

/**
 * Normalizes a relative path: removes `./` and doubled slashes. Returns undefined for a path that does not lie inside a
 * folder or is not portable: absolute, empty, or with `..`, backslashes or control characters.
 */
export function cleanPath(path: string): string | undefined {
  if (path.startsWith('/') || /[\\\p{Cc}\p{Cs}]/u.test(path) || /^[A-Za-z]:/.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}
