// deploy/release.mjs in a small copy of the tree: every file that names the version, and the changelog.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../architecture/run-tool.js';

const NEXT = '9.8.7';
const COPIED = [
  'package.json',
  'tests/package.json',
  'k8s/tollgate/Chart.yaml',
  'packages/service/src/metrics/version.ts',
];
const OTHERS = [
  'deploy/README.md',
  'k8s/tollgate/README.md',
  'k8s/tollgate/ci/full-values.yaml',
  'k8s/tollgate/values.yaml',
  'packages/client-python/pyproject.toml',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
  for (const path of [...COPIED, ...OTHERS]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  run('git', 'init', '--quiet');
  run('git', 'add', '.');
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
}

function release(...args: string[]) {
  return run(process.execPath, join(ROOT, 'deploy/release.mjs'), ...args);
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe('deploy/release.mjs', () => {
  it('refuses to release without notes, and changes nothing', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\nOld.\n');
    expect(release(NEXT)).toMatchObject({ status: 1, stderr: 'release: CHANGELOG.md has nothing under Unreleased\n' });
    expect(JSON.parse(read('package.json')).version).not.toBe(NEXT);
  });

  it('writes the version into every file and closes the section of the changelog, whose notes it prints', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\nNew.\n\n### Added\n\n- It.\n\n## 0.1.0\n\nOld.\n',
    );
    expect(release(NEXT)).toMatchObject({ status: 0, stderr: '' });
    for (const path of COPIED) {
      expect(read(path)).toContain(NEXT);
      expect(read(path)).not.toContain(version);
    }
    expect(read('CHANGELOG.md')).toContain(`## Unreleased\n\n## ${NEXT}\n\nNew.`);
    expect(release('--notes', NEXT)).toMatchObject({ status: 0, stdout: 'New.\n\n### Added\n\n- It.\n' });
  });
});
