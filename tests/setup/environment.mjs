// The test environment of Node without two costs of Jest's.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

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

export default class Environment extends TestEnvironment {
  constructor(...args) {
    const { createContext } = vm;
    // An ordinary global object: Jest's is a proxy behind an interceptor, that every mention of `JSON` or `Buffer` passes.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }

  async teardown() {
    await super.teardown();
    for (const storage of enabled) storage.disable();
    enabled.clear();
  }
}
