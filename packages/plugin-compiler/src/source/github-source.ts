/** A parsed `github:<owner>/<repo>[/<path>][@<ref>]`. */
export interface GithubSource {
  owner: string;
  repo: string;
  /** The path in the repository; empty for its root. */
  path: string;
  /** Branch, tag or commit id. */
  ref: string;
}

const SOURCE_CHARS_MAX = 1_024;
const DEFAULT_REF = 'main';

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;
const REPO = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * Parses a source; returns undefined for text of another form. The ref starts at the first `@`: tags of packages
 * contain one (`pkg@1.0.0`), so a path must not.
 */
export function parseGithubSource(source: string): GithubSource | undefined {
  if (!source.startsWith('github:') || source.length > SOURCE_CHARS_MAX) return undefined;
  const text = source.slice('github:'.length);
  const at = text.indexOf('@');
  const place = at === -1 ? text : text.slice(0, at);
  const ref = at === -1 ? DEFAULT_REF : text.slice(at + 1);
  const [owner = '', repo = '', ...path] = place.split('/');
  if (!OWNER.test(owner) || !REPO.test(repo) || isDots(repo) || !path.every(isPathPart) || !isRef(ref))
    return undefined;
  return { owner, repo, path: path.join('/'), ref };
}

/** Whether the ref is a complete commit id, which always names the same tree. */
export function isCommitId(ref: string): boolean {
  return /^[0-9a-f]{40}$/.test(ref);
}

function isPathPart(part: string): boolean {
  return part !== '' && !isDots(part) && !/[\p{C}\\?#%]/u.test(part);
}

function isDots(name: string): boolean {
  return name === '.' || name === '..';
}

/** Follows `git check-ref-format`, and excludes characters with a meaning in URLs. */
function isRef(ref: string): boolean {
  if (ref === '' || ref.length > 255 || /[\p{C}\p{Z}~^:?*[\\#%]/u.test(ref)) return false;
  if (ref.includes('..') || ref.includes('@{') || ref.startsWith('-') || ref.endsWith('.')) return false;
  return ref.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
