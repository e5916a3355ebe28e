import { Tollgate } from '../client.js';
import { Caller } from '../core/caller.js';
import { type ClientOptions, toSettings } from '../core/settings.js';
import { type IssuedToken, refreshingToken } from '../tokens.js';
import { type CredentialKind, readSignIn, type SavedSignIn, withLock, writeSignIn } from './credentials-file.js';
import { CliError, EXIT, type GlobalOptions, type Shell } from './shell.js';

/** Time limit of a command's calls; none of them asks a model. */
const TIMEOUT_MS = 60_000;

/** A client with the credential of the command, and what it may do. */
export interface Access {
  client: Tollgate;
  /** Sends requests that are no operation of the client. */
  caller: Caller;
  kind: CredentialKind;
  baseUrl: string;
  /** The project of the command. @throws CliError when it is not known */
  findProject(): Promise<string>;
}

export async function openAccess(shell: Shell, options: GlobalOptions): Promise<Access> {
  const { kind, baseUrl, credential, project } = await chooseCredential(shell, options);
  const settings = toClientOptions(shell, { baseUrl, credential });
  const client = new Tollgate(settings);
  const caller = new Caller(toSettings(settings));
  return { client, caller, kind, baseUrl, findProject: () => findProject(client, kind, project) };
}

interface ChosenCredential extends Pick<Access, 'kind' | 'baseUrl'> {
  credential: ClientOptions['credential'];
  project: string | undefined;
}

/** TOLLGATE_API_KEY goes before the saved sign-in. */
async function chooseCredential(shell: Shell, options: GlobalOptions): Promise<ChosenCredential> {
  const saved = await readSignIn(shell);
  const fromEnv = shell.config.credential;
  const chosenUrl = options.url ?? shell.config.url;
  const project = options.project ?? shell.config.project;
  if (fromEnv !== undefined) {
    const baseUrl = chosenUrl ?? saved?.base_url;
    if (baseUrl === undefined) throw missingUrl();
    return { kind: toKind(fromEnv), baseUrl, credential: fromEnv, project };
  }
  if (!saved) throw new CliError('you are not signed in', { exitCode: EXIT.signIn, hint: 'Run `tollgate login`.' });
  const { kind, base_url: baseUrl } = saved;
  if (chosenUrl !== undefined && new URL(chosenUrl).origin !== new URL(baseUrl).origin) {
    const hint = `Run \`tollgate login --url ${chosenUrl}\`.`;
    throw new CliError(`you are signed in at ${baseUrl}, not at ${chosenUrl}`, { exitCode: EXIT.signIn, hint });
  }
  return { kind, baseUrl, credential: toCredential(shell, saved), project: project ?? saved.project_id };
}

export function makeClient(shell: ClientShell, options: ClientOptions): Tollgate {
  return new Tollgate(toClientOptions(shell, options));
}

function toClientOptions({ fetch, nowMs, elapsed, pause }: ClientShell, options: ClientOptions): ClientOptions {
  const timing = { nowMs, elapsed, pause, random: Math.random };
  return { timeoutMs: TIMEOUT_MS, fetch, timing, headers: { 'user-agent': 'tollgate-cli' }, ...options };
}

type ClientShell = Pick<Shell, 'fetch' | 'nowMs' | 'elapsed' | 'pause'>;

export function missingUrl(): CliError {
  const hint = 'Give its address with --url or TOLLGATE_URL, such as http://127.0.0.1:8080.';
  return new CliError('it is not known which gateway to use', { exitCode: EXIT.usage, hint });
}

/** @throws CliError when the command is not for this credential */
export function requireKind({ kind }: Access, kinds: readonly CredentialKind[]): void {
  if (kinds.includes(kind)) return;
  const needed = kinds.map((each) => NAMES[each]).join(' or ');
  const hint = 'Run `tollgate login --help` for the ways to sign in.';
  throw new CliError(`this command needs ${needed}, not ${NAMES[kind]}`, { exitCode: EXIT.signIn, hint });
}

const NAMES: Readonly<Record<CredentialKind, string>> = {
  owner: 'the session of an owner',
  secret_key: 'a secret key',
  customer: 'the token of a customer',
};

/** Tokens are JWTs, and keys are not. */
function toKind(credential: string): CredentialKind {
  const [, payload] = credential.split('.');
  if (payload === undefined) return 'secret_key';
  const claims = Buffer.from(payload, 'base64url').toString('utf8');
  return /"typ"\s*:\s*"customer"/.test(claims) ? 'customer' : 'owner';
}

function toCredential(shell: Shell, saved: SavedSignIn) {
  if (saved.refresh_token === undefined) return saved.token;
  const first: IssuedToken = { token: saved.token, expires_at: saved.expires_at };
  return refreshingToken(() => withLock(shell, () => refresh(shell, saved)), { first, nowMs: shell.nowMs });
}

/** Uses the tokens of another command that has refreshed in the meantime. */
async function refresh(shell: Shell, used: SavedSignIn): Promise<IssuedToken> {
  const present = (await readSignIn(shell)) ?? used;
  if (present.token !== used.token) return Object.assign(used, present);
  const client = makeClient(shell, { baseUrl: used.base_url, retriesMax: 0 });
  const tokens = await client.refreshSession({ refresh_token: used.refresh_token as string });
  const { access_token: token, expires_at, refresh_token } = tokens;
  Object.assign(used, { token, expires_at, refresh_token });
  await writeSignIn(shell, used);
  return { token, expires_at };
}

async function findProject(client: Tollgate, kind: CredentialKind, chosen: string | undefined): Promise<string> {
  if (chosen !== undefined) return chosen;
  const hint = 'Choose it with --project or TOLLGATE_PROJECT.';
  if (kind !== 'owner') throw new CliError('the id of the project is not known', { exitCode: EXIT.usage, hint });
  const { projects } = await client.listProjects({ limit: 2 });
  const [only] = projects;
  if (only && projects.length === 1) return only.id;
  const text = only ? 'you have several projects' : 'you have no project';
  throw new CliError(text, { exitCode: EXIT.usage, hint: `\`tollgate projects list\` shows them. ${hint}` });
}
