// Builds the version before this one from git. See deploy/upgrades.md for how it is chosen.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOrBuildTree } from './version-cache.js';

/** A built tree of the repository. */
export interface Version {
  name: 'previous' | 'current';
  root: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMIT_FILE = fileURLToPath(new URL('previous-version.json', import.meta.url));
const RELEASE_TAGS = 'v[0-9]*';
const COMMAND_MS = 15 * 60_000;

export const currentVersion: Version = { name: 'current', root: ROOT };

/** The commit of the newest release before this one: its tag when there is one, else the commit of the file. */
export function previousCommit(): string {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', RELEASE_TAGS, 'HEAD^');
  if (tag.status === 0) return must('git', git('rev-list', '-n', '1', tag.stdout.trim())).trim();
  return (JSON.parse(readFileSync(COMMIT_FILE, 'utf8')) as { commit: string }).commit;
}

/** Returns why the previous version cannot be built from this tree; undefined when it can. */
export function missingHistory(): string | undefined {
  const commit = previousCommit();
  if (git('cat-file', '-e', `${commit}^{commit}`).status === 0) return undefined;
  return `the history lacks commit ${commit} of the previous version: clone without a depth, or \`git fetch --unshallow\``;
}

/**
 * Builds the services of the previous version, once per commit, version of Node, and user.
 *
 * @throws Error with the output of what failed
 */
export function buildPreviousVersion(say: (line: string) => void = () => undefined): Version {
  const missing = missingHistory();
  if (missing !== undefined) throw new Error(missing);
  const commit = previousCommit();
  const cache = join(homedir(), '.cache', 'tollgate', 'versions');
  const key = { commit, nodeVersion: process.version };
  const root = findOrBuildTree(cache, key, (draft) => buildInto(draft, commit, say));
  return { name: 'previous', root };
}

/** With the package manager and the build command of that version. */
function buildInto(folder: string, commit: string, say: (line: string) => void): void {
  mkdirSync(folder);
  must('git archive', git('archive', '--format=tar', `--output=${folder}/tree.tar`, commit));
  must('tar', run('tar', ['-xf', 'tree.tar'], folder));
  rmSync(join(folder, 'tree.tar'));
  say(`installing the packages of ${commit.slice(0, 8)}`);
  const services = readdirSync(join(folder, 'services')).map((name) => packageName(join(folder, 'services', name)));
  const filters = services.flatMap((name) => ['--filter', `${name}...`]);
  const install = ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only', '--filter', '.'];
  must('pnpm install', run(join(ROOT, 'node_modules/.bin/pnpm'), [...install, ...filters], folder));
  say(`building the services of ${commit.slice(0, 8)}`);
  const build = ['run', 'build', ...services.map((name) => `--filter=${name}`), '--output-logs=errors-only'];
  must('turbo run build', run(join(folder, 'node_modules/.bin/turbo'), build, folder));
}

/** The file that `node` runs for a service. */
export function mainFile({ root }: Version, service: string): string {
  const folder = join(root, 'services', service);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin?: string };
  // `node dist/main.js` is the command of every image.
  return join(folder, bin ?? 'dist/main.js');
}

function packageName(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string }).name;
}

function git(...args: string[]) {
  return run('git', args, ROOT);
}

function run(command: string, args: readonly string[], cwd: string) {
  const env = {
    ...process.env,
    PATH: `${join(cwd, 'node_modules/.bin')}:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    CI: 'true', // no question is asked
    NODE_OPTIONS: '',
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: COMMAND_MS, maxBuffer: 64 * 1024 * 1024 });
}

function must(what: string, { status, stdout, stderr, error }: ReturnType<typeof run>): string {
  if (status === 0) return stdout;
  throw new Error(`${what} failed: ${error?.message ?? `${stdout}\n${stderr}`.slice(-4_000)}`);
}
