import { spawnSync } from 'node:child_process';

/** The operating-system account of the server; empty: the current one. PostgreSQL does not run as root. */
export type ServerAccount = { uid: number; gid: number } | Record<string, never>;

export function serverAccount(): ServerAccount {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

function idOfNobody(flag: '-u' | '-g'): number {
  const result = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  const id = Number.parseInt(result.stdout ?? '', 10);
  return Number.isInteger(id) && id > 0 ? id : 65534;
}

/** Returns whether the account can enter `directory`, which requires access to every parent. */
export function canEnter(account: ServerAccount, directory: string): boolean {
  const options = { ...account, cwd: '/', stdio: 'ignore' } as const;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], options).status === 0;
}
