import type { SignInOptions } from '@tollgate/api/identity';
import { buttonClasses } from '../../parts/button.js';
import { classes } from '../../parts/classes.js';

type Provider = SignInOptions['oauth_providers'][number];

/** Why a provider's sign-in led back here. Text of the address is not shown. */
const FAILURES: Readonly<Record<string, string>> = {
  declined: 'You were not signed in: the provider did not confirm who you are. Try again.',
  no_email: 'You were not signed in: the provider has no verified email of yours.',
  expired: 'You were not signed in: the sign-in took too long, or its link was used before. Try again.',
  other_browser: 'You were not signed in: the link belongs to a sign-in of another browser. Try again here.',
  email_taken: 'An account with this email exists already. Sign in the way that you signed up.',
};

/**
 * Links to the providers that are configured. The service sets the session's cookie and leads back to `to`, a path of the
 * console: no token passes through this page.
 */
export function ProviderLinks({
  providers,
  names,
  to,
  failed,
}: {
  providers: readonly Provider[];
  names: SignInOptions['oauth_names'];
  to: string;
  failed: string | undefined;
}) {
  const failure = failed !== undefined && Object.hasOwn(FAILURES, failed) ? FAILURES[failed] : undefined;
  return (
    <>
      {failure && (
        <p role="alert" className="rounded-lg border border-bad/30 bg-bad-wash px-4 py-3 text-bad">
          {failure}
        </p>
      )}
      {providers.length > 0 && (
        <div className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
          {providers.map((provider) => (
            <a
              key={provider}
              href={`/api/v1/auth/oauth/authorize?${new URLSearchParams({ provider, return_to: `/console${to}` })}`}
              className={classes(buttonClasses(), 'justify-center')}
            >
              Continue with {names[provider] ?? provider}
            </a>
          ))}
        </div>
      )}
    </>
  );
}
