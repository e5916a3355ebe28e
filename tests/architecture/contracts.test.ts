import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, runTool } from './run-tool.js';
import { readSourceFiles } from './source-files.js';

const PROTO = join(ROOT, 'proto');

describe('the contracts', () => {
  it('passes buf lint and the format check', () => {
    const { status, output } = runTool('npm', ['run', '--silent', 'lint'], { cwd: PROTO });
    expect(status === 0 ? '' : output).toBe('');
  });

  it('breaks no contract of the main branch', () => {
    const isComparable =
      runTool('git', ['rev-parse', '--verify', '--quiet', 'origin/main:proto/buf.yaml']).status === 0;
    if (!isComparable) return console.info('buf breaking: no origin/main with a proto folder to compare with');
    const { status, output } = runTool(
      'buf',
      ['breaking', '--against', `${join(ROOT, '.git')}#branch=origin/main,subdir=proto`],
      { cwd: PROTO },
    );
    expect(status === 0 ? '' : output).toBe('');
  });

  it('generates exactly the code in packages/contracts/src/gen', () => {
    const work = mkdtempSync(join(tmpdir(), 'tollgate-contracts-'));
    try {
      cpSync(PROTO, join(work, 'proto'), { recursive: true, filter: (source) => !source.includes('node_modules') });
      const { status, output } = runTool(
        'buf',
        ['generate', join(work, 'proto'), '--template', join(work, 'proto', 'buf.gen.yaml'), '-o', join(work, 'proto')],
        { cwd: PROTO },
      );
      expect(status === 0 ? '' : output).toBe('');
      expect(readFiles(join(work, 'packages/contracts/src/gen'))).toEqual(
        readFiles(join(ROOT, 'packages/contracts/src/gen')),
      );
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
});

it('uses only the generated functions to code messages in product code', () => {
  const library = /import \{[^}]*\b(create|toBinary|fromBinary)\b[^}]*\} from '@bufbuild\/protobuf';/;
  const files = readSourceFiles(/^(packages|services|deploy)\/.*\.ts$/).filter(
    ({ path }) => !path.endsWith('.test.ts'),
  );
  expect(files.filter(({ text }) => library.test(text)).map(({ path }) => path)).toEqual([]);
});

function readFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), readFileSync(path, 'utf8')] as const;
      })
      .sort(),
  );
}
