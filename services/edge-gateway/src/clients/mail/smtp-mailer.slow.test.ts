import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { MailRefused } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

const MAIL = { id: 'b7c1', to: 'ada@example.com', subject: 'Hello', text: 'Plain text', html: '<p>Rich text</p>' };

let server: SMTPServer | undefined;
afterEach(() => new Promise<void>((done) => (server ? server.close(done) : done())));

/** Returns the URL of a real SMTP server, and what it receives. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = session.envelope.rcptTo.map(({ address }) => `To ${address}\n`).join('');
      stream.on('data', (chunk: Buffer) => (text += chunk));
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
    ...options,
  });
  const listening = server;
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  const { port } = listening.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received };
}

it('sends text and HTML to one address, under an id that a repeat keeps', async () => {
  const { url, received } = await startServer();
  const mailer = new SmtpMailer({ url, from: 'Tollgate <noreply@gate.example>' });
  await mailer.send(MAIL);
  await mailer.send(MAIL);
  for (const text of received) {
    expect(text).toMatch(/^To ada@example.com\n(?!To )/);
    expect(text).toContain('Message-ID: <b7c1@gate.example>');
    expect(text).toContain('Plain text');
    expect(text).toContain('<p>Rich text</p>');
  }
  expect(received).toHaveLength(2);
});

it('does not take an address for a list of addresses', async () => {
  const { url, received } = await startServer();
  const to = '"a,b@evil.example,c"@example.com';
  await new SmtpMailer({ url, from: 'noreply@gate.example' }).send({ ...MAIL, to }).catch(() => undefined);
  for (const text of received) expect(text.match(/^To .*$/gm)).toHaveLength(1);
});

it.each([
  [550, true],
  [451, false],
])('takes the status %i of a recipient for final: %s', async (responseCode, isFinal) => {
  const { url } = await startServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode })),
  });
  const sending = new SmtpMailer({ url, from: 'noreply@gate.example' }).send(MAIL);
  const error = await sending.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof MailRefused).toBe(isFinal);
});

it('ends with an error when the server does not answer', async () => {
  const { url } = await startServer({ onConnect: () => undefined });
  const sending = new SmtpMailer({ url, from: 'noreply@gate.example', timeoutMs: 50 }).send(MAIL);
  await expect(sending).rejects.toThrow();
});

it('ends with an error, and closes the connection, when the server takes its time without ever being silent', async () => {
  let endSocket: () => void;
  const ended = new Promise<void>((done) => (endSocket = done));
  const slow = createServer((socket) => {
    socket.write('220 slow\r\n');
    const ticking = setInterval(() => socket.write('250-slow\r\n'), 20);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(ticking);
        endSocket();
      });
    socket.resume();
  });
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  const url = `smtp://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const mailer = new SmtpMailer({ url, from: 'noreply@gate.example', timeoutMs: 500, sendTimeoutMs: 1_000 });
  const error = await mailer.send(MAIL).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MailRefused);
  await ended;
  await new Promise<void>((done) => slow.close(() => done()));
});
