// Actions of a person on any page of the console.
import type { Page } from 'playwright-core';

export interface PageActions {
  /** Presses the button with this name. */
  press(name: string | RegExp): Promise<void>;
  /** Follows the link with this name. */
  follow(name: string): Promise<void>;
  /** Waits until the text is on the page. */
  see(text: string | RegExp): Promise<void>;
  /** Signs in as the owner that development systems have, and waits for the first page. */
  enterAsLocalOwner(): Promise<void>;
}

/** Returns the actions on the page that `getPage` returns at their time: suites open a page before each test. */
export function pageActions(getPage: () => Page): PageActions {
  const press = (name: string | RegExp) =>
    getPage()
      .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
      .click();
  return {
    press,
    follow: (name) => getPage().getByRole('link', { name, exact: true }).click(),
    see: (text) => getPage().getByText(text).first().waitFor(),
    enterAsLocalOwner: async () => {
      await press('Continue as the local owner');
      await getPage().getByRole('heading', { name: 'Overview' }).waitFor();
    },
  };
}
