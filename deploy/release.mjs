// Prepares a release in the working tree, and prints the notes of one. See CONTRIBUTING.md, Releases.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const USAGE = `node deploy/release.mjs VERSION          writes the version into every file and closes the changelog's section
node deploy/release.mjs --notes VERSION  prints the notes of a version, for the page of the release
`;
const VERSION = /^\d+\.\d+\.\d+$/;
/** Besides every package.json: files that name the version, each time the present one. */
const FILES = [
  'deploy/README.md',
  'k8s/tollgate/Chart.yaml',
  'k8s/tollgate/README.md',
  'k8s/tollgate/ci/full-values.yaml',
  'k8s/tollgate/values.yaml',
  'packages/client-python/pyproject.toml',
  'packages/service/src/metrics/version.ts',
];

const [first, second] = process.argv.slice(2);
try {
  if (first === '--notes' && VERSION.test(second)) process.stdout.write(readNotes(second));
  else if (VERSION.test(first)) prepare(first);
  else throw new Error(`usage:\n${USAGE}`);
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

function prepare(version) {
  const present = JSON.parse(read('package.json')).version;
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is tagged already`);
  const changelog = read('CHANGELOG.md');
  if (!/^## Unreleased\n+\S/m.test(changelog) || /^## Unreleased\n+## /m.test(changelog)) {
    throw new Error('CHANGELOG.md has nothing under Unreleased');
  }
  const packages = git('ls-files', 'package.json', '*/package.json').split('\n');
  for (const path of packages) edit(path, `\n  "version": "${present}"`, `\n  "version": "${version}"`);
  for (const path of FILES) edit(path, present, version);
  edit('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n## ${version}\n`);
  process.stdout.write(
    `Version ${version} is written. Review the notes in CHANGELOG.md, run .ci/run, commit, and tag:\n` +
      `git tag -a v${version} -m "Tollgate ${version}". Then empty JUSTIFIED in tests/deploy/migration-rules.ts.\n`,
  );
}

function readNotes(version) {
  const [, notes] = read('CHANGELOG.md').split(`\n## ${version}\n`);
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  return `${notes.split('\n## ')[0].trim()}\n`;
}

function edit(path, from, to) {
  const text = read(path);
  if (!text.includes(from)) return;
  writeFileSync(resolve(path), text.replaceAll(from, to));
}

function read(path) {
  return readFileSync(resolve(path), 'utf8');
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}
