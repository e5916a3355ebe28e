import { describe, expect, it } from '@jest/globals';
import { runTool } from './run-tool.js';

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
