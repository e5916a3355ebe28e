// The console in a real browser, with everything that must never happen on any of its pages.
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const TIMEOUT_MS = 60_000;
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 380, height: 780 };

export interface ConsolePage {
  page: Page;
  /** Opens a page of the console and waits until its data is there. */
  open(path: string): Promise<void>;
  waitUntilLoaded(): Promise<void>;
  /** Blocked styles and scripts, requests to other origins, and scripts that failed. */
  readonly faults: readonly string[];
  /** Violations of the accessibility rules on the page that is open. */
  findBarriers(): Promise<string[]>;
  /** Width by which the page is wider than a phone. */
  measureOverflow(): Promise<number>;
  /** Runs on a window as narrow as a phone's. */
  onPhone(act: () => Promise<void>): Promise<void>;
  /** Defects that a person sees: alerts, texts that are cut off, and empty space below the content. */
  findBlemishes(): Promise<string[]>;
  setDark(isDark: boolean): Promise<void>;
  /** Keeps a picture of the page in TEST_LOG_DIR, if that is set. */
  keepPicture(name: string): Promise<void>;
  close(): Promise<void>;
}

export function openChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

/** Opens a window with a cookie jar of its own. `allowed` are origins to which a test leads on purpose. */
export async function openConsole(
  browser: Browser,
  origin: string,
  allowed: readonly string[] = [],
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: DESKTOP });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  await watch(context, page, [origin, ...allowed], faults);
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const waitUntilLoaded = async (): Promise<void> => {
    await page.locator('h1').waitFor();
    await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
  };
  return {
    page,
    faults,
    waitUntilLoaded,
    open: async (path) => {
      await page.goto(`${origin}/console${path}`);
      await waitUntilLoaded();
    },
    findBarriers: () => findBarriers(page, axe),
    measureOverflow: async () => {
      await page.setViewportSize(PHONE);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      await page.setViewportSize(DESKTOP);
      return Math.max(0, width - PHONE.width);
    },
    onPhone: async (act) => {
      await page.setViewportSize(PHONE);
      await act();
      await page.setViewportSize(DESKTOP);
    },
    findBlemishes: () => page.evaluate<string[]>(FIND_BLEMISHES),
    setDark: async (isDark) => {
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${isDark})`);
    },
    keepPicture: (name) => keepPicture(page, name),
    close: () => context.close(),
  };
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation([event.violatedDirective, event.blockedURI, event.sample].join(' ')))`;

async function watch(context: BrowserContext, page: Page, origins: readonly string[], faults: string[]): Promise<void> {
  await context.exposeFunction('reportViolation', (text: string) => faults.push(`content security policy: ${text}`));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(origin)) faults.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
}

const FIND_BLEMISHES = `(() => {
  const found = [...document.querySelectorAll('[role=alert]')].map((alert) => 'alert: ' + alert.textContent);
  for (const each of document.querySelectorAll('main *')) {
    const isCut = getComputedStyle(each).textOverflow === 'ellipsis' && each.scrollWidth > each.clientWidth;
    if (isCut) found.push('cut: ' + each.textContent);
  }
  const bottom = document.querySelector('main').getBoundingClientRect().bottom + scrollY;
  const blank = Math.round(document.documentElement.scrollHeight - Math.max(bottom, innerHeight));
  if (blank > 1) found.push('empty space: ' + blank + ' px');
  return found;
})()`;

interface AxeViolation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

async function findBarriers(page: Page, axe: string): Promise<string[]> {
  // Evaluated by the browser's own protocol: the policy of the page forbids scripts of others.
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_LOG_DIR;
  if (!folder) return;
  mkdirSync(join(folder, 'console'), { recursive: true });
  await page.screenshot({ path: join(folder, 'console', `${name}.png`), fullPage: true });
}
