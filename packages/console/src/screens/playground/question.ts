/** A question of the playground. */
export interface Question {
  model: string;
  /** Empty = the account itself. */
  customerId: string;
  system: string;
  text: string;
}

/** The body of `POST /responses`. */
export function toBody({ model, system, text }: Question): Record<string, unknown> {
  const message = (role: string, content: string) => ({
    type: 'message',
    role,
    content: [{ type: 'text', text: content }],
  });
  return { model, input: [...(system === '' ? [] : [message('system', system)]), message('user', text)] };
}

/** The same request for a shell, with a secret key. */
export function toCurl(question: Question): string {
  const body = JSON.stringify(toBody(question)).replaceAll("'", "'\\''");
  return [
    `curl ${location.origin}/api/v1/responses \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    ...(question.customerId === '' ? [] : [`  -H 'X-Service-Customer-Id: ${question.customerId}' \\`]),
    `  -d '${body}'`,
  ].join('\n');
}
