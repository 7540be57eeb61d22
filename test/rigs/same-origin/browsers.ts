// A common interface for two browsers.

import { openBrowser } from '../../helpers/browser.ts'
import { openFirefox } from '../../helpers/firefox.ts'

export interface Tab {
  /** A download instead of a page is no fault. */
  goto(url: string): Promise<void>
  /** Awaits a promise whose value is text. */
  evaluate(expression: string): Promise<string>
  close(): Promise<void>
}

export interface Surfer {
  /** The console output of all windows. */
  readonly lines: readonly string[]
  newTab(): Promise<Tab>
  close(): Promise<void>
}

export const SURFERS = { chromium: openChromium, firefox: openOwnFirefox } as const

async function openChromium(): Promise<Surfer> {
  const browser = await openBrowser()
  const context = await browser.newContext()
  const lines: string[] = []
  context.on('console', (message) => lines.push(message.text()))
  return {
    lines,
    async newTab() {
      const page = await context.newPage()
      return {
        async goto(url) {
          await page.goto(url).catch(ignoreDownload)
        },
        evaluate: (expression) => page.evaluate(expression),
        close: () => page.close(),
      }
    },
    close: () => browser.close(),
  }
}

async function openOwnFirefox(): Promise<Surfer> {
  const firefox = await openFirefox()
  const { lines, close } = firefox
  return {
    lines,
    close,
    async newTab() {
      const tab = await firefox.newTab()
      return { ...tab, goto: (url) => tab.goto(url).catch(ignoreDownload) }
    },
  }
}

function ignoreDownload(error: Error): void {
  if (!/Download is starting|NS_BINDING_ABORTED|NS_ERROR_|aborted/i.test(error.message)) throw error
}
