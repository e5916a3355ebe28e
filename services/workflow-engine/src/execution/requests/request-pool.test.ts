import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { Dependency } from './request-pool.js';

const fail = () => Promise.reject(new Error('unavailable'));

async function failTimes(dependency: Dependency, times: number, isFailure = true): Promise<void> {
  for (let i = 0; i < times; i++) await expect(dependency.call(fail, () => isFailure)).rejects.toThrow('unavailable');
}

describe('Dependency', () => {
  it('admits nothing after five failures in a row, then one request that probes it', async () => {
    const dependency = new Dependency('test', silentLogger);
    await failTimes(dependency, 4);
    expect(dependency.admit(32)).toBe(32);
    await failTimes(dependency, 1);
    expect(dependency.admit(32)).toBe(0);
    let admitted = 0;
    while (admitted === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      admitted = dependency.admit(32);
    }
    expect(admitted).toBe(1);
  });

  it('admits all once a call succeeds', async () => {
    const dependency = new Dependency('test', silentLogger);
    await failTimes(dependency, 5);
    await dependency.call(
      async () => 'answer',
      () => true,
    );
    expect(dependency.admit(32)).toBe(32);
  });

  it('counts no error that the service has answered on purpose', async () => {
    const dependency = new Dependency('test', silentLogger);
    await failTimes(dependency, 20, false);
    expect(dependency.admit(32)).toBe(32);
  });
});
