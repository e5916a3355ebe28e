import type { DeviceRefusal } from '../../../../operations/sign-in/take-device-token.js';

const descriptions: Record<DeviceRefusal, string> = {
  authorization_pending: 'the user has not decided yet',
  slow_down: 'the device asks too often; its interval has grown',
  expired_token: 'the device code has expired, start again',
  invalid_grant: 'the device code is unknown or was used before',
  access_denied: 'the user said no',
};

/** Renders a refusal in the form of RFC 8628, section 3.5. */
export function describeRefusal({
  error,
  intervalSeconds: interval,
}: {
  error: DeviceRefusal;
  intervalSeconds?: number;
}) {
  return { error, error_description: descriptions[error], ...(interval && { interval }) };
}
