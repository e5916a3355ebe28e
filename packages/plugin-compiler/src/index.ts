export { type CompileConfig, GITHUB_API_URL, GITHUB_CODELOAD_URL } from './compile-config.js';
export type { SpecVerdict } from './generate/generate-workflow.js';
export {
  type CompiledResults,
  createPluginCompiler,
  type PluginCompiler,
  type PluginCompilerOptions,
} from './plugin-compiler.js';
export type { PluginJobRunner, PluginJobs } from './plugin-jobs.js';
export type { CompileKind } from './tree/source-tree.js';
