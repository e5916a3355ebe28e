import { type Command, Option } from 'commander';
import type { Tollgate } from '../../client.js';
import { TollgateError } from '../../core/error.js';
import type { components } from '../../gen/schema.js';
import { makeClient, missingUrl, openAccess } from '../access.js';
import { deleteSignIn, readSignIn, type SavedSignIn, writeSignIn } from '../credentials-file.js';
import { printFields } from '../output.js';
import { CliError, EXIT, type GlobalOptions, type Shell } from '../shell.js';

interface LoginOptions extends GlobalOptions {
  email?: string;
  secretKey?: boolean;
  device?: string;
  dev?: boolean;
}

/** Between two polls while the gateway cannot be reached. */
const PAUSE_MS_MAX = 40_000;

const LOGIN_HELP = `
Without an option an owner signs in by a code: open the address that is shown, on any device, and approve in the console.
--email signs in with a password, --dev at a local gateway. --secret-key reads a project's secret key, so that it is in no
shell history. --device signs in a customer of a project by a code.`;

export function addLogin(program: Command, shell: Shell): void {
  program
    .command('login')
    .description('sign in by a code, and keep the credential in a file that only you can read')
    .option('--email <email>', 'as an owner, with a password that is asked for')
    .addOption(new Option('--dev', 'as the owner of a local gateway in development mode').conflicts('email'))
    .option('--secret-key', 'with a secret key from the terminal or standard input')
    .option('--device <publishable-key>', 'as a customer, by the device flow')
    .addHelpText('after', LOGIN_HELP)
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<LoginOptions>();
      const baseUrl = options.url ?? shell.config.url ?? (await readSignIn(shell))?.base_url;
      if (baseUrl === undefined) throw missingUrl();
      const signIn = await signInWith(shell, baseUrl, options);
      await writeSignIn(shell, { ...signIn, ...(options.project !== undefined && { project_id: options.project }) });
      shell.inform(`signed in at ${baseUrl}`);
    });
  program
    .command('logout')
    .description('end the session and delete the credential')
    .action(async () => {
      const saved = await readSignIn(shell);
      await deleteSignIn(shell);
      if (saved?.refresh_token === undefined) return;
      await makeClient(shell, { baseUrl: saved.base_url }).logout({ refresh_token: saved.refresh_token });
    });
  program
    .command('whoami')
    .description('show the credential that commands use')
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, kind, baseUrl } = await openAccess(shell, options);
      const who = kind === 'owner' ? (await client.getCurrentUser()).user.email : undefined;
      const customer = kind === 'customer' ? (await client.getMe()).customer.external_id : undefined;
      const project = options.project ?? shell.config.project ?? (await readSignIn(shell))?.project_id;
      const shown = { gateway: baseUrl, credential: kind, owner: who, customer, project };
      printFields(shell, options, shown, Object.entries(shown));
    });
}

async function signInWith(shell: Shell, baseUrl: string, options: LoginOptions): Promise<SavedSignIn> {
  const anonymous = makeClient(shell, { baseUrl });
  if (options.dev) return toOwner(baseUrl, await anonymous.devLogin());
  if (options.email !== undefined) {
    const password = await shell.readSecret('Password: ');
    return toOwner(baseUrl, await anonymous.login({ email: options.email, password }));
  }
  if (options.secretKey) {
    const key = await shell.readSecret('Secret key: ');
    const { tiers } = await anonymous.with({ credential: key }).listTiers();
    return { kind: 'secret_key', base_url: baseUrl, token: key, project_id: tiers[0]?.project_id };
  }
  if (options.device !== undefined) {
    return signInCustomer(shell, baseUrl, anonymous.with({ credential: options.device }));
  }
  return signInOwner(shell, baseUrl, anonymous);
}

function toOwner(
  baseUrl: string,
  tokens: { access_token: string; expires_at: string; refresh_token: string },
): SavedSignIn {
  const { access_token: token, expires_at, refresh_token } = tokens;
  return { kind: 'owner', base_url: baseUrl, token, expires_at, refresh_token };
}

async function signInOwner(shell: Shell, baseUrl: string, client: Tollgate): Promise<SavedSignIn> {
  const device = await client.startOwnerDevice({ client_name: `tollgate CLI on ${shell.config.machine}` });
  const poll = () => client.pollOwnerDeviceToken({ device_code: device.device_code });
  return toOwner(baseUrl, await waitForDecision(shell, device, poll));
}

async function signInCustomer(shell: Shell, baseUrl: string, client: Tollgate): Promise<SavedSignIn> {
  const device = await client.startDevice();
  const poll = () => client.pollDeviceToken({ device_code: device.device_code });
  const { token, expires_at, project_id } = await waitForDecision(shell, device, poll);
  return { kind: 'customer', base_url: baseUrl, token, expires_at, project_id };
}

/** RFC 8628: shows a code, and asks until the person has decided. */
async function waitForDecision<T>(
  shell: Shell,
  device: components['schemas']['DeviceStartResult'],
  poll: () => Promise<T>,
): Promise<T> {
  shell.inform(`Open ${device.verification_uri_complete}`);
  shell.inform(`and check that it shows the code ${device.user_code}, or enter it there.`);
  const endMs = shell.elapsed() + device.expires_in * 1000;
  let intervalMs = device.interval * 1000;
  let pauseMs = intervalMs;
  let failure: TollgateError | undefined;
  while (shell.elapsed() < endMs) {
    await shell.pause(Math.min(pauseMs, endMs - shell.elapsed()), shell.signal);
    try {
      return await poll();
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error;
      if (isPending(error)) {
        intervalMs = readIntervalMs(error) ?? intervalMs;
        [pauseMs, failure] = [intervalMs, undefined];
      } else if (error.retryable) {
        [pauseMs, failure] = [slowDownMs(pauseMs, error), error];
      } else throw error;
    }
  }
  const reason = failure === undefined ? '' : `; last failure: ${failure.message}`;
  throw new CliError(`the code has expired${reason}`, { exitCode: EXIT.signIn, hint: 'Run the command again.' });
}

/** RFC 8628: a lost connection makes polls rarer. */
function slowDownMs(pauseMs: number, { retryAfterSeconds = 0 }: TollgateError): number {
  return Math.max(Math.min(2 * pauseMs, PAUSE_MS_MAX), 1000 * retryAfterSeconds);
}

function isPending({ code }: TollgateError): boolean {
  return code === 'authorization_pending' || code === 'slow_down';
}

function readIntervalMs({ body }: TollgateError): number | undefined {
  const { interval } = body as { interval?: unknown };
  return typeof interval === 'number' ? interval * 1000 : undefined;
}
