// Renders the Helm chart and returns its objects.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const chartFolder = `${root}k8s/tollgate`;
export const services = readdirSync(`${root}services`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** The parts of a Kubernetes object that the tests read. */
export interface Manifest {
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what kubeconform checks against the Kubernetes schemas
  [field: string]: any;
}

/** Environment variables of a container. */
export type Environment = Record<string, string>;

export interface Tools {
  helm: string;
  kubeconform: string;
}

export function toolsFromEnv(env: NodeJS.ProcessEnv): Tools | undefined {
  const { HELM, KUBECONFORM } = env;
  return HELM && KUBECONFORM ? { helm: HELM, kubeconform: KUBECONFORM } : undefined;
}

export const minimal = ['--values', `${chartFolder}/ci/minimal-values.yaml`];
export const full = ['--values', `${chartFolder}/ci/full-values.yaml`];

/** Helm assumes an older Kubernetes version than the chart requires. */
const cluster = ['--kube-version', '1.34.0'];

export async function lint(helm: string, values: readonly string[]): Promise<void> {
  await run(helm, ['lint', '--strict', chartFolder, ...cluster, ...values]);
}

/** @throws with Helm's message in `stderr` when the chart refuses the values. */
export async function render(
  helm: string,
  values: readonly string[],
  release = 'release',
): Promise<{ text: string; manifests: Manifest[] }> {
  const { stdout } = await run(helm, ['template', release, chartFolder, '--namespace', 'ns', ...cluster, ...values], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return { text: stdout, manifests: loadAll(stdout).filter((document) => document !== null) as Manifest[] };
}

/** Validates rendered text; the schemas come from a local folder when KUBECONFORM_SCHEMAS names one. */
export async function conform(kubeconform: string, text: string, schemas: string | undefined): Promise<string> {
  const location = schemas ? ['-schema-location', `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`] : [];
  const checking = run(kubeconform, ['-strict', '-summary', ...location, '-']);
  checking.child.stdin?.end(text);
  const { stdout } = await checking;
  return stdout;
}

/** Returns the objects of one kind by name, without hooks. */
export function objects(manifests: readonly Manifest[], kind: string): Map<string, Manifest> {
  const found = manifests.filter((manifest) => manifest.kind === kind && !isHook(manifest));
  return new Map(found.map((manifest) => [manifest.metadata.name as string, manifest]));
}

export function hooks(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind && isHook(manifest));
}

function isHook(manifest: Manifest): boolean {
  return manifest.metadata.annotations?.['helm.sh/hook'] !== undefined;
}
