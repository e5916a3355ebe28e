// Jest's Node environment without three of its costs.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { countResources, reportLeftResources } from './left-resources.mjs';

// jest-circus makes an AsyncLocalStorage for every test file and leaves it enabled. Up to Node 22 each promise of a process
// visits all of them, so that a worker becomes slower file by file.
const enabled = new Set();
const { run, enterWith } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  enabled.add(this);
  return run.apply(this, args);
};
AsyncLocalStorage.prototype.enterWith = function (...args) {
  enabled.add(this);
  return enterWith.apply(this, args);
};

// Every test file compiles the same modules again, including Jest's. V8 uses the code cache of the first compilation.
// Sources with dynamic imports are compiled again: code from a cache has lost the callback that serves them.
const codeCache = new Map();
const isCacheable = (source) => !source.includes('import(');

const { compileFunction, SourceTextModule } = vm;
vm.compileFunction = (source, parameters, options) => {
  if (!isCacheable(source)) return compileFunction(source, parameters, options);
  const cachedData = codeCache.get(source);
  if (cachedData) return compileFunction(source, parameters, { ...options, cachedData });
  const compiled = compileFunction(source, parameters, { ...options, produceCachedData: true });
  codeCache.set(source, compiled.cachedData);
  return compiled;
};
vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const cachedData = isCacheable(source) ? codeCache.get(source) : undefined;
    super(source, { ...options, cachedData });
    if (!cachedData && isCacheable(source)) codeCache.set(source, this.createCachedData());
  }
};

/**
 * Milliseconds of a test or hook that names no limit, by the first pattern that matches its file. Three times as long in CI: other parts
 * share the cores there, and no test may fail because of that.
 */
const LIMITS_MS = [
  [/\/tests\/(chaos|clients|console|deploy|operate|operations|upgrade)\//, 180_000],
  [/\/tests\/|\/deploy\/|\.(db|slow)\.test\.ts$/, 60_000],
  [/./, 10_000],
];

function toLimit(testPath) {
  const [, limitMs] = LIMITS_MS.find(([pattern]) => pattern.test(testPath));
  return process.env.CI ? 3 * limitMs : limitMs;
}

export default class Environment extends TestEnvironment {
  #resources = countResources();
  #testPath;
  #limitMs;

  constructor(...args) {
    const { createContext } = vm;
    // An ordinary global object: Jest's is a proxy behind an interceptor, that every mention of `JSON` or `Buffer` passes.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    this.#testPath = args[1].testPath;
    // `--testTimeout` wins, for example in a debugger.
    this.#limitMs = args[0].globalConfig.testTimeout ?? toLimit(this.#testPath);
  }

  handleTestEvent({ name }, state) {
    if (name === 'setup') state.testTimeout = this.#limitMs;
  }

  async teardown() {
    await super.teardown();
    for (const storage of enabled) storage.disable();
    enabled.clear();
    if (process.env.TEST_RESOURCES) await reportLeftResources(this.#testPath, this.#resources);
  }
}
