import { expect, it } from '@jest/globals';
import { describeWith } from '@tollgate/testkit/describe-with';
import { services } from '../chart.js';
import { docker } from './compose-stack.js';

describeWith('DOCKER_COMPOSE', 'the images', () => {
  it.each(services)('runs %s as an unprivileged user on a read-only root file system', async (service) => {
    const list = await docker('run', '--rm', '--read-only', `tollgate-${service}`, 'id', '-u');
    expect(list).toBe('10001');
  });

  it.each(services)('carries no tests, sources or build tools in %s', async (service) => {
    const find = String.raw`find /app -path '*/node_modules/.pnpm/*' -prune -o \( -name '*.ts' ! -name '*.d.ts' -o -name '*.test.js' -o -name .turbo \) -print; command -v npm gcc curl || true`;
    expect(await docker('run', '--rm', `tollgate-${service}`, 'sh', '-c', find)).toBe('');
    const packages = await docker('run', '--rm', `tollgate-${service}`, 'cat', '/app/dist/bundle/packages.json');
    const names = JSON.parse(packages).map(({ name }: { name: string }) => name);
    expect(names).toContain('@tollgate/service');
    expect(names).not.toContain('@tollgate/testkit');
  });

  it.each(services)('names the missing variable of %s in one message without a stack trace', async (service) => {
    const failed = await docker('run', '--rm', `tollgate-${service}`).catch(
      (error: { stderr: string }) => error.stderr,
    );
    expect(failed).toContain('DATABASE_URL: is not set');
    expect(failed).not.toMatch(/^\s+at /m);
  });

  it.each(services)('lists the packages of %s in an SBOM that a label names', async (service) => {
    const label = '{{ index .Config.Labels "dev.tollgate.sbom" }}';
    const path = await docker('image', 'inspect', '--format', label, `tollgate-${service}`);
    const sbom = JSON.parse(await docker('run', '--rm', `tollgate-${service}`, 'cat', path));
    expect(sbom.metadata.component.name).toBe(`@tollgate/${service}`);
    expect(sbom.components.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['pino', 'zod']));
  });

  it.each(services)('carries the license texts of the packages in the bundle of %s', async (service) => {
    const licenses = await docker('run', '--rm', `tollgate-${service}`, 'cat', '/app/dist/bundle/licenses.txt');
    expect(licenses).toMatch(/^==== pino@\d\S* ====\n\n(The )?MIT License/m);
  });

  it.each(services)('prints the commands of %s for --help', async (service) => {
    expect(await docker('run', '--rm', `tollgate-${service}`, 'node', 'dist/main.js', '--help')).toMatch(
      /^ {2}migrate +applies the migrations of the database$/m,
    );
  });
});
