// A browser: pages, text, clicks. Controls Chromium by the DevTools protocol; pages run no scripts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from '@tollgate/testkit';
import { WebSocket } from 'undici';

export interface Browser {
  open(url: string): Promise<void>;
  /** Clicks the first element that the selector finds and waits for the page that follows. */
  click(selector: string): Promise<void>;
  /** Clicks without leaving the page. */
  pick(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  /** Current markup of the page. */
  html(): Promise<string>;
  url(): Promise<string>;
  close(): Promise<void>;
}

type Params = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of Chromium's documented protocol
type Send = (method: string, params?: Params) => Promise<any>;

const TIMEOUT_MS = 30_000;

export async function openBrowser(chromium: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'tollgate-browser-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0'];
  const child = spawn(chromium, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await readAddress(child));
  await once(socket, 'open');
  const protocol = speak(socket);
  const { targetInfos } = await protocol.send('Target.getTargets');
  const page = targetInfos.find((target: { type: string }) => target.type === 'page');
  const { sessionId } = await protocol.send('Target.attachToTarget', { targetId: page.targetId, flatten: true });
  const send: Send = (method, params) => protocol.send(method, params, sessionId);
  for (const domain of ['Page', 'DOM']) await send(`${domain}.enable`);
  await send('Emulation.setScriptExecutionDisabled', { value: true });

  const leading = async (act: () => Promise<unknown>): Promise<void> => {
    const loaded = protocol.next('Page.loadEventFired');
    await act();
    await loaded;
  };
  const find = async (selector: string): Promise<number> => {
    const { root } = await send('DOM.getDocument');
    const { nodeId } = await send('DOM.querySelector', { nodeId: root.nodeId, selector });
    if (nodeId === 0) throw new Error(`the page has no ${selector}`);
    return nodeId;
  };
  const press = async (selector: string): Promise<void> => {
    const nodeId = await find(selector);
    await send('DOM.scrollIntoViewIfNeeded', { nodeId });
    const { model } = await send('DOM.getBoxModel', { nodeId });
    const [x, y] = [(model.content[0] + model.content[4]) / 2, (model.content[1] + model.content[5]) / 2];
    for (const type of ['mousePressed', 'mouseReleased'])
      await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  };

  return {
    open: (url) => leading(() => send('Page.navigate', { url })),
    click: (selector) => leading(() => press(selector)),
    pick: press,
    fill: async (selector, text) => {
      await send('DOM.focus', { nodeId: await find(selector) });
      await send('Input.insertText', { text });
    },
    html: async () => (await send('DOM.getOuterHTML', { nodeId: await find('html') })).outerHTML,
    url: async () => {
      const { currentIndex, entries } = await send('Page.getNavigationHistory');
      return entries[currentIndex].url;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      socket.close();
      await waitUntil(() => isRemoved(profile), { what: 'Chromium to leave its profile' });
    },
  };
}

/** Chromium's helper processes may end later and still write a file into the folder that is being deleted. */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Chromium prints the address it listens on in its first lines. */
async function readAddress(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Chromium has no output');
  const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const match = /DevTools listening on (ws:\S+)/.exec(line);
      if (match?.[1]) return match[1];
    }
    throw new Error('Chromium ended before it listened');
  } finally {
    clearTimeout(timer);
    child.stderr.resume();
  }
}

/** Calls by id, and the next event of a name. */
function speak(socket: WebSocket) {
  let last = 0;
  const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const events = new Map<string, () => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    const call = calls.get(message.id);
    calls.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
    events.get(message.method)?.();
    events.delete(message.method);
  });
  return {
    send(method: string, params: Params = {}, sessionId?: string) {
      last += 1;
      const id = last;
      // biome-ignore lint/suspicious/noExplicitAny: see Send
      const answer = new Promise<any>((resolve, reject) => calls.set(id, { resolve, reject }));
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
      return answer;
    },
    next(event: string): Promise<void> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${event} did not come`)), TIMEOUT_MS);
        events.set(event, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
