// Every service starts through packages/service, which alone opens the parts that services have in common.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './run-tool.js';

const SERVICES = join(ROOT, 'services');
const services = readdirSync(SERVICES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Functions that open a part of the chassis. */
const CONSTRUCTIONS =
  /\b(createPool|migrate|prismaAdapter|createEventTransport|eventTransportConfig|createRelay|startRpcServer|runService|createLogger|loadConfig|new GrpcNetwork|new LocalNetwork|new PrismaClient)\(/;

describe.each(services)('%s', (service) => {
  it('starts its definition through the chassis and does nothing else', () => {
    const main = read(service, 'main.ts');
    expect(main).toMatch(/^await runMain\(\w+\);$/m);
    expect(main.match(/^import /gm)).toHaveLength(2);
    expect(read(service, 'config.ts')).toContain('defineConfig({');
    expect(read(service, 'server.ts')).toMatch(/: ServiceDefinition<\w+> (= )?\{/);
  });

  it('opens pools, networks, transports, relays and loggers only through the chassis', () => {
    const faults = sources(service).flatMap((file) => {
      const found = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => CONSTRUCTIONS.test(line) && !line.includes('parts.openPrisma('));
      return found.map((line) => `${relative(ROOT, file)}: ${line.trim()}`);
    });
    expect(faults).toEqual([]);
  });

  it('reads the environment only in its configuration', () => {
    const readers = sources(service).filter((file) => readFileSync(file, 'utf8').includes('process.env'));
    expect(readers.map((file) => relative(ROOT, file))).toEqual([]);
  });
});

it('starts the same definitions in the one-process mode', () => {
  const source = readFileSync(join(ROOT, 'deploy/local/src/one-process.ts'), 'utf8');
  expect(source.match(/starter\(\w+\),/g)).toHaveLength(services.length);
  expect(source).not.toMatch(/\b(createPool|createEventTransport|createRelay)\(/);
});

function read(service: string, file: string): string {
  return readFileSync(join(SERVICES, service, 'src', file), 'utf8');
}

/** The source files that ship: no tests, no test harnesses, no generated code. */
function sources(service: string): string[] {
  const folder = join(SERVICES, service, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|proof|generated)\//.test(file))
    .map((file) => join(folder, file));
}
