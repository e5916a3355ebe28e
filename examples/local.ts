// What `npm start` wrote to .local/tollgate.json: addresses and credentials of the demo project.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tollgate } from '@tollgate/client';

interface LocalFile {
  base_url: string;
  project_id: string;
  secret_key: string;
  customer_token: string;
  owner: { access_token: string };
}

const FILE = process.env.TOLLGATE_FILE ?? fileURLToPath(new URL('../.local/tollgate.json', import.meta.url));

export const local = JSON.parse(readFileSync(FILE, 'utf8')) as LocalFile;

/** The clients of the three sides: the owner in the console, the owner's back end, and the app of a customer. */
const baseUrl = new URL(local.base_url).origin;
export const owner = new Tollgate({ baseUrl, credential: local.owner.access_token });
export const backend = new Tollgate({ baseUrl, credential: local.secret_key });
export const app = new Tollgate({ baseUrl, credential: local.customer_token });

/** Returns the input of a request: one question of the user. */
export function ask(text: string) {
  return [{ type: 'message' as const, role: 'user' as const, content: [{ type: 'text' as const, text }] }];
}
