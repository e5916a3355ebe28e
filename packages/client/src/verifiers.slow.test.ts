// The programs of verifiers.md accept what the library of Standard Webhooks signs, and refuse all else.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

const page = readFileSync(fileURLToPath(new URL('../verifiers.md', import.meta.url)), 'utf8');

interface Language {
  name: string;
  fence: string;
  file: string;
  driver: string;
  driverFile: string;
  /** Exits with 0 where the language is installed. */
  probe: string[];
  /** Compiles, where that is a step of its own. */
  build?: string[];
  run: string[];
}

/** Each driver takes secret, id, timestamp, signatures and body as arguments, and fails when `verify` does. */
const LANGUAGES: Language[] = [
  {
    ...{ name: 'JavaScript', fence: 'js', file: 'verify.mjs', driverFile: 'main.mjs', probe: ['node', '--version'] },
    run: ['node', 'main.mjs'],
    driver: `import { verify } from './verify.mjs';
const [secret, id, timestamp, signatures, body] = process.argv.slice(2);
verify(secret, { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures }, Buffer.from(body));`,
  },
  {
    ...{ name: 'Python', fence: 'python', file: 'verifier.py', driverFile: 'main.py', probe: ['python3', '--version'] },
    run: ['python3', '-B', 'main.py'],
    driver: `import sys
from verifier import verify
secret, id, timestamp, signatures, body = sys.argv[1:]
verify(secret, {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures}, body.encode())`,
  },
  {
    ...{ name: 'Go', fence: 'go', file: 'verify.go', driverFile: 'main.go', probe: ['go', 'version'] },
    build: ['go', 'build', '-o', 'verify', 'verify.go', 'main.go'],
    run: ['./verify'],
    driver: `package main
import "os"
func main() {
	a := os.Args
	headers := map[string]string{"webhook-id": a[2], "webhook-timestamp": a[3], "webhook-signature": a[4]}
	if err := verify(a[1], headers, []byte(a[5])); err != nil {
		println(err.Error())
		os.Exit(1)
	}
}`,
  },
  {
    ...{ name: 'Java', fence: 'java', file: 'Verifier.java', driverFile: 'Main.java', probe: ['javac', '-version'] },
    build: ['javac', '-encoding', 'UTF-8', 'Verifier.java', 'Main.java'],
    run: ['java', '-Dsun.jnu.encoding=UTF-8', 'Main'],
    driver: `import java.util.Map;
public class Main {
  public static void main(String[] a) throws Exception {
    var headers = Map.of("webhook-id", a[1], "webhook-timestamp", a[2], "webhook-signature", a[3]);
    Verifier.verify(a[0], headers, a[4].getBytes("UTF-8"));
  }
}`,
  },
  {
    ...{ name: 'Ruby', fence: 'ruby', file: 'verify.rb', driverFile: 'main.rb', probe: ['ruby', '--version'] },
    run: ['ruby', 'main.rb'],
    driver: `require_relative 'verify'
secret, id, timestamp, signatures, body = ARGV
verify(secret, { 'webhook-id' => id, 'webhook-timestamp' => timestamp, 'webhook-signature' => signatures }, body)`,
  },
];

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_b3RoZXI=';
const body = '{"event_type":"request.completed","data":{"text":"paid"}}';

for (const language of LANGUAGES) {
  const isInstalled = spawnSync(language.probe[0] as string, language.probe.slice(1)).status === 0;
  if (!isInstalled) {
    console.info(`the verifier in ${language.name} was not run: ${language.probe[0]} is not installed`);
    continue;
  }
  describe(`the verifier in ${language.name}`, () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
      writeFileSync(join(folder, language.file), readSnippet(language.fence));
      writeFileSync(join(folder, language.driverFile), language.driver);
      if (language.build) expect(runIn(folder, language.build)).toEqual({ status: 0, stderr: '' });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const verify = (
      change: { key?: string; ageSeconds?: number; id?: string; sent?: string; prefix?: string } = {},
    ) => {
      const { key = secret, ageSeconds = 0, id = 'e1', sent = body, prefix = '' } = change;
      const at = new Date(Date.now() - ageSeconds * 1000);
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const signatures = prefix + new Webhook(key).sign('e1', at, body);
      return runIn(folder, [...language.run, secret, id, timestamp, signatures, sent]).status;
    };

    it('accepts a signature of the library, alone and among others', () => {
      expect(verify()).toBe(0);
      expect(verify({ prefix: 'v1,AAAA v2,AAAA ' })).toBe(0);
    });

    it('rejects another secret, body and id, and a delivery that is old or early', () => {
      const changes = [{ key: other }, { sent: `${body} ` }, { id: 'e2' }, { ageSeconds: 400 }, { ageSeconds: -400 }];
      expect(changes.filter((change) => verify(change) === 0)).toEqual([]);
    });
  });
}

function readSnippet(fence: string): string {
  const found = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`verifiers.md has no ${fence}`);
  return found;
}

function runIn(cwd: string, [command = '', ...args]: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 150_000 });
  return { status, stderr: stderr.slice(0, 2_000) };
}
