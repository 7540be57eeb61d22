// Measures the layout shift while a page loads. Responses arrive one after another, each after the previous
// one is rendered. This order imitates a slow connection and is the same on every machine.

import type { BrowserContext, Page } from 'playwright-core'

/** Shifts without user input (`layout-shift` entries of the browser). */
const OBSERVE = `
  window.jumps = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.jumps.push([value, ...sources.map(({ node }) => node?.className ?? node?.nodeName)])
  }).observe({ type: 'layout-shift', buffered: true })
`

const DRAWN =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

export interface Watched {
  /** Resolves when all requests are answered and no new request follows. */
  readonly settled: () => Promise<void>
}

export async function watchJumps(context: BrowserContext): Promise<Watched> {
  await context.addInitScript(OBSERVE)
  let last: Promise<unknown> = Promise.resolve()
  await context.route(/\/api\/v2\/|\/assets\/(?!main|style|early)/, (route) => {
    const page = route.request().frame().page()
    const piece = last.then(async () => {
      const response = await route.fetch()
      await page.evaluate(DRAWN)
      await route.fulfill({ response })
    })
    // Requests of a page that was left are aborted.
    last = piece.catch(() => route.abort().catch(() => undefined))
    return last.then(() => undefined)
  })
  return {
    async settled() {
      const [page] = context.pages()
      for (let seen: unknown; seen !== last; ) {
        seen = last
        await last
        // The rendered response may cause further requests.
        await page?.evaluate(DRAWN)
      }
    },
  }
}

export interface Jumps {
  readonly total: number
  /** All shifts, for the message of a failed test. */
  readonly all: string
}

export async function jumpsOf(page: Page): Promise<Jumps> {
  await page.evaluate(DRAWN)
  const all = await page.evaluate<[number, ...string[]][]>('window.jumps')
  return { total: all.reduce((sum, [value]) => sum + value, 0), all: JSON.stringify(all) }
}
