// The unit tests, as Stryker runs them.
process.env.TEST_TIER = 'unit';
const { default: unitTests } = await import('../jest.config.mjs');

export default { ...unitTests, testEnvironment: '@stryker-mutator/jest-runner/jest-env/node' };
