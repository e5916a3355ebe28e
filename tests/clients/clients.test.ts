// Clients that are generated from the OpenAPI document compile, and do the main job against a running system.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { uniqueCode } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { runTool } from './run-tool.js';

const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url));

describeWith('CLIENT_TOOLS', 'clients generated from the OpenAPI document', (tools) => {
  const system = useSystem();
  const project = useProject(system);
  let folder: string;
  let document: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
    document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(must(await system.anonymous.get('/openapi.json'), 200)));
  });
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('satisfies the rules of Redocly and Spectral', async () => {
    const redocly = ['lint', '--config', join(PROGRAMS, '../redocly.yaml'), '--format', 'json', document];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const report = JSON.parse(await runTool(nodeTool('redocly'), redocly, { env }));
    expect(report.problems.map((one: { ruleId: string; message: string }) => `${one.ruleId}: ${one.message}`)).toEqual(
      [],
    );
    // Its rules name parts of files relative to their own folder.
    cpSync(join(PROGRAMS, '../spectral.yaml'), join(folder, 'spectral.yaml'));
    const spectral = ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', 'openapi.json'];
    await runTool(nodeTool('spectral'), spectral, { cwd: folder });
  }, 900_000);

  it('compiles and runs a client of openapi-typescript and openapi-fetch', async () => {
    const client = makeFolder('typescript');
    cpSync(join(PROGRAMS, 'typescript'), client, { recursive: true });
    writeFileSync(join(client, 'package.json'), '{"type":"module"}');
    // Members of a request that have a default are optional.
    const options = ['--default-non-nullable', 'false'];
    await runTool(nodeTool('openapi-typescript'), [document, '--output', join(client, 'schema.d.ts'), ...options]);
    await compileTypeScript(client, ['main-job.mts'], client);
    expectAnswer(await runJob(process.execPath, [join(client, 'main-job.mjs')], client));
  }, 900_000);

  it('compiles a client of @hey-api/openapi-ts', async () => {
    const client = makeFolder('hey-api');
    await runTool(nodeTool('openapi-ts'), [
      '--input',
      document,
      '--output',
      client,
      '--client',
      '@hey-api/client-fetch',
    ]);
    await compileTypeScript(client, ['index.ts', 'sdk.gen.ts']);
  }, 900_000);

  it('generates a whole client with openapi-python-client, and runs it', async () => {
    const client = makeFolder('python');
    cpSync(join(PROGRAMS, 'python'), client, { recursive: true });
    const args = ['generate', '--path', document, '--meta', 'none', '--output-path', join(client, 'tollgate')];
    const config = ['--config', join(PROGRAMS, 'python/generator.yaml'), '--fail-on-warning'];
    const env = { PATH: `${join(tools, 'venv/bin')}:${process.env.PATH}` };
    await runTool(join(tools, 'venv/bin/openapi-python-client'), [...args, ...config], { env });
    await runTool(join(tools, 'venv/bin/python'), ['-m', 'compileall', '-q', client]);
    expectAnswer(await runJob(join(tools, 'venv/bin/python'), [join(client, 'main_job.py')], client));
  }, 900_000);

  it('generates a whole client with oapi-codegen, and runs it', async () => {
    const client = makeFolder('go');
    for (const file of ['go.mod', 'go.sum']) cpSync(join(tools, 'go', file), join(client, file));
    cpSync(join(PROGRAMS, 'go'), client, { recursive: true });
    mkdirSync(join(client, 'tollgate'));
    await runTool(join(tools, 'go/bin/oapi-codegen'), ['-config', 'generator.yaml', document], { cwd: client });
    // Go has the modules in its cache and must not ask for more.
    const env = { GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    await runTool('go', ['build', '-mod=readonly', '-o', 'main-job', '.'], { cwd: client, env });
    expectAnswer(await runJob(join(client, 'main-job'), [], client));
  }, 900_000);

  it('generates a whole client with openapi-generator for Java, and runs it', async () => {
    const client = makeFolder('java');
    const packages = ['apiPackage=dev.tollgate.api', 'modelPackage=dev.tollgate.model', 'invokerPackage=dev.tollgate'];
    const properties = [...packages, 'openApiNullable=false'].join(',');
    await runOpenApiGenerator(document, client, [
      ...['-g', 'java', '--library', 'okhttp-gson'],
      ...['--additional-properties', properties],
    ]);
    const sources = readdirSync(join(client, 'src/main/java'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.java'))
      .map((name) => join('src/main/java', name));
    writeFileSync(join(client, 'sources'), [...sources, join(PROGRAMS, 'java/MainJob.java')].join('\n'));
    const libraries = `${join(tools, 'java/libs')}/*`;
    await runTool('javac', ['-nowarn', '-d', 'classes', '-cp', libraries, '@sources'], { cwd: client });
    expectAnswer(await runJob('java', ['-cp', `classes:${libraries}`, 'MainJob'], client));
  }, 900_000);

  it('generates a whole client with openapi-generator for Python, and runs it', async () => {
    const client = makeFolder('openapi-generator-python');
    cpSync(join(PROGRAMS, 'openapi-generator/main_job.py'), join(client, 'main_job.py'));
    const options = ['-g', 'python', '--additional-properties', 'packageName=tollgate'];
    await runOpenApiGenerator(withoutWebhooks(client), client, options);
    await runTool(join(tools, 'venv/bin/python'), ['-m', 'compileall', '-q', join(client, 'tollgate')]);
    expectAnswer(await runJob(join(tools, 'venv/bin/python'), [join(client, 'main_job.py')], client));
  }, 900_000);

  it('generates a whole client with openapi-generator for TypeScript, and runs it', async () => {
    const client = makeFolder('openapi-generator-typescript');
    cpSync(join(PROGRAMS, 'openapi-generator/main-job.mts'), join(client, 'main-job.mts'));
    writeFileSync(join(client, 'package.json'), '{"type":"module"}');
    // Without runtime checks, whose code does not compile in strict mode, members have the names and types of the JSON.
    const properties = ['withoutRuntimeChecks=true', 'modelPropertyNaming=original', 'importFileExtension=.js'].join(
      ',',
    );
    await runOpenApiGenerator(withoutWebhooks(client), join(client, 'tollgate'), [
      ...['-g', 'typescript-fetch', '--additional-properties', properties],
      ...['--type-mappings', 'DateTime=string,date=string', '--reserved-words-mappings', 'function=function'],
    ]);
    await compileTypeScript(client, ['main-job.mts'], client);
    expectAnswer(await runJob(process.execPath, [join(client, 'main-job.mjs')], client));
  }, 900_000);

  function runOpenApiGenerator(input: string, output: string, options: string[]): Promise<string> {
    const generator = readdirSync(join(tools, 'java/generator')).find((name) => name.endsWith('.jar')) ?? '';
    const parts = ['apiTests=false', 'modelTests=false', 'apiDocs=false', 'modelDocs=false'];
    const args = [...options, '--global-property', parts.join(','), '-i', input, '-o', output];
    return runTool('java', ['-jar', join(tools, 'java/generator', generator), 'generate', ...args]);
  }

  /** Writes the document without `webhooks`, for which these templates generate code that cannot be parsed. */
  function withoutWebhooks(client: string): string {
    const { webhooks: _, ...operations } = JSON.parse(readFileSync(document, 'utf8'));
    const path = join(client, 'openapi.json');
    writeFileSync(path, JSON.stringify(operations));
    return path;
  }

  function makeFolder(name: string): string {
    const made = join(folder, name);
    mkdirSync(made);
    return made;
  }

  function nodeTool(name: string): string {
    return join(tools, 'node_modules/.bin', name);
  }

  function compileTypeScript(cwd: string, files: string[], outDir?: string): Promise<string> {
    const output = outDir === undefined ? { noEmit: true } : { outDir };
    const modules = { target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', types: [] };
    const compilerOptions = { strict: true, skipLibCheck: true, moduleResolution: 'bundler', ...modules, ...output };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return runTool(nodeTool('tsc'), ['-p', cwd]);
  }

  /** Runs a program with the credentials of the project; it prints its result as JSON. */
  async function runJob(file: string, args: string[], cwd: string): Promise<unknown> {
    const env = {
      BASE_URL: new URL(system.baseUrl).origin,
      ACCESS_TOKEN: project.ownerToken,
      SECRET_KEY: project.secretKey,
      PROJECT_ID: project.id,
      TIER_CODE: uniqueCode('client'),
    };
    return JSON.parse(await runTool(file, args, { cwd, env }));
  }
});

interface Outcome {
  text: string;
  answered: number;
  requests: number;
  tokens: number;
}

function expectAnswer(result: unknown): void {
  const { text, answered, requests, tokens } = result as Outcome;
  expect(text.length).toBeGreaterThan(0);
  expect([requests, tokens]).toEqual([1, answered]);
}
