import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from '../observing/logger.js';
import { runService } from './lifecycle.js';
import type { Stoppable } from './stoppable.js';

class FakeProcess extends EventEmitter {
  codes: number[] = [];
  exit(code: number): void {
    this.codes.push(code);
  }
}

function setUp(start: (stopping: AbortSignal) => Promise<Stoppable>, drainMs = 1000) {
  const lines: { msg: string; err?: { message: string } }[] = [];
  const logger: Logger = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const host = new FakeProcess();
  const service = runService({ name: 'messaging', start, logger, drainMs, host });
  return { host, service, messages: () => lines.map((line) => line.msg), lines };
}

const running = (stop: () => Promise<void>) => async () => ({ stop });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('runService', () => {
  it.each(['SIGTERM', 'SIGINT'])('stops on %s and exits 0', async (signal) => {
    let stops = 0;
    const { host, service, messages } = setUp(running(async () => void stops++));
    await settled();
    host.emit(signal);
    await service.stopped;
    expect({ codes: host.codes, stops }).toEqual({ codes: [0], stops: 1 });
    expect(messages()).toEqual(['messaging is ready', 'messaging is draining', 'messaging stopped']);
  });

  it('exits 1 when draining takes longer than the deadline', async () => {
    const { host, service, messages } = setUp(
      running(() => new Promise(() => undefined)),
      20,
    );
    await settled();
    host.emit('SIGTERM');
    await service.stopped;
    expect(host.codes).toEqual([1]);
    expect(messages()).toContain('draining took too long; exiting with work unfinished');
  });

  it('exits at once on a second signal', async () => {
    let finishStop: () => void = () => undefined;
    const stopping = new Promise<void>((resolve) => {
      finishStop = resolve;
    });
    const { host } = setUp(running(() => stopping));
    await settled();
    host.emit('SIGTERM');
    expect(host.codes).toEqual([]);
    host.emit('SIGTERM');
    expect(host.codes).toEqual([1]);
    finishStop();
    await settled();
  });

  it('stops a service that was still starting when the signal came', async () => {
    let finishStart: (service: Stoppable) => void = () => undefined;
    let stops = 0;
    const starting = new Promise<Stoppable>((resolve) => {
      finishStart = resolve;
    });
    const { host, service } = setUp(() => starting);
    host.emit('SIGTERM');
    finishStart({ stop: async () => void stops++ });
    await service.stopped;
    expect({ codes: host.codes, stops }).toEqual({ codes: [0], stops: 1 });
  });

  it('exits 0 when the signal ends a start that waits', async () => {
    const wait = (stopping: AbortSignal) =>
      new Promise<Stoppable>((_resolve, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason));
      });
    const { host, service, messages } = setUp(wait);
    host.emit('SIGTERM');
    await service.stopped;
    expect(host.codes).toEqual([0]);
    expect(messages()).toEqual(['messaging is draining', 'messaging stopped']);
  });

  it('logs why a start failed after the signal and exits 1', async () => {
    const { host, service, lines } = setUp(
      (stopping) =>
        new Promise((_resolve, reject) => {
          stopping.addEventListener('abort', () => reject(new Error('bad migration')));
        }),
    );
    host.emit('SIGTERM');
    await service.stopped;
    expect(host.codes).toEqual([1]);
    expect(lines.at(1)).toMatchObject({ msg: 'stopping failed', err: { message: 'bad migration' } });
  });

  it('logs why the start failed and exits 1', async () => {
    const { host, lines, service } = setUp(() => Promise.reject(new Error('no database')));
    await service.stopped;
    expect(host.codes).toEqual([1]);
    expect(lines.at(-1)).toMatchObject({ msg: 'messaging failed to start', err: { message: 'no database' } });
  });

  it.each(['uncaughtException', 'unhandledRejection'])('logs %s and exits 1', async (kind) => {
    const { host, lines } = setUp(running(async () => undefined));
    await settled();
    host.emit(kind, new Error('bug'));
    expect(host.codes).toEqual([1]);
    expect(lines.at(-1)).toMatchObject({ err: { message: 'bug' } });
  });
});
