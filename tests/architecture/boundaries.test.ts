import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, runTool } from './run-tool.js';

const PACKAGES = ['packages', 'services']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
  .concat('deploy/local', 'tests', 'examples')
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));

it.each(PACKAGES)('has the scripts that turbo runs in %s', (folder) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['build', 'lint', 'typecheck', 'test']));
});

describe('the structure', () => {
  it('keeps its import boundaries: layers, service borders, package order', () => {
    const { status, output } = runTool('depcruise', [
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
      'services',
      'deploy/local/src',
    ]);
    expect(status === 0 ? '' : output).toBe('');
  });

  it('passes the Biome formatter and linter', () => {
    const { status, output } = runTool('biome', [
      'ci',
      '--colors=off',
      '--reporter=github',
      '--diagnostic-level=error',
      '.',
    ]);
    expect(status === 0 ? '' : output).toBe('');
  });
});
