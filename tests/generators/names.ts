/** A mistake in the arguments of a generator; its message says what to change. */
export class UsageError extends Error {}

/** A file to write. `text` replaces it. */
export interface Change {
  path: string;
  text: string;
}

/** Reads a file of the repository; undefined if there is none. */
export type ReadFile = (path: string) => string | undefined;

export function requireKebab(name: string | undefined, what: string): string {
  if (name !== undefined && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return name;
  throw new UsageError(`${what} must be in kebab-case, such as get-tier; got ${name ?? 'nothing'}`);
}

/** `get-tier` → `getTier`. */
export function toCamel(kebab: string): string {
  return kebab.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `GetTier` → `get-tier`. */
export function toKebab(pascal: string): string {
  return pascal.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
}

/** `get-tier` → `Get tier`. */
export function toSentence(kebab: string): string {
  const words = kebab.replaceAll('-', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** Returns the file, changed. @throws UsageError if it does not exist or lacks the place */
export function editFile(read: ReadFile, path: string, place: RegExp, edit: (found: string) => string): Change {
  const text = read(path);
  if (text === undefined) throw new UsageError(`${path} does not exist`);
  if (!place.test(text)) throw new UsageError(`${path} has another form than expected; change it by hand`);
  return { path, text: text.replace(place, edit) };
}

/** Returns a new file. @throws UsageError if it exists */
export function newFile(read: ReadFile, path: string, text: string): Change {
  if (read(path) !== undefined) throw new UsageError(`${path} exists already`);
  return { path, text };
}
