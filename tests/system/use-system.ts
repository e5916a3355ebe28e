// Hooks that start the whole system for a test file, or for the `describe` that calls them.
import { afterAll, beforeAll } from '@jest/globals';
import { type System, type SystemOptions, startSystem, type TestProject } from './start-system.js';

/** Longest start or stop of all services on a busy machine. */
export const START_MS = 180_000;

/** Registers hooks that start and stop a system, by default in one process. Its fields are set when the first test runs. */
export function useSystem(options: Partial<SystemOptions> = {}): System {
  const system = {} as System;
  beforeAll(async () => {
    Object.assign(system, await startSystem({ mode: 'one process', ...options }));
  }, START_MS);
  afterAll(() => system.stop?.(), START_MS);
  return system;
}

/** Registers a hook that creates a project in the system. Its fields are set when the first test runs. */
export function useProject(system: System): TestProject {
  const project = {} as TestProject;
  beforeAll(async () => {
    Object.assign(project, await system.project());
  }, START_MS);
  return project;
}
