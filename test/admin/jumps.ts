// How far what is seen of a page jumps while it loads. What it loads comes one piece after another, each when the one
// before was drawn: as on a slow line, and the same on each machine.

import type { BrowserContext, Page } from 'playwright-core'

/** Whatever moves without anybody doing something (layout-shift of the browser, which counts parts of the window). */
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
  /** Resolves when all that was asked for has come, and nothing more was. */
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
    // Of a page that is left meanwhile nothing is wanted any more.
    last = piece.catch(() => route.abort().catch(() => undefined))
    return last.then(() => undefined)
  })
  return {
    async settled() {
      const [page] = context.pages()
      for (let seen: unknown; seen !== last; ) {
        seen = last
        await last
        // What came is drawn, and may ask for more.
        await page?.evaluate(DRAWN)
      }
    },
  }
}

export interface Jumps {
  readonly total: number
  /** What moved, for whoever has to mend it. */
  readonly all: string
}

export async function jumpsOf(page: Page): Promise<Jumps> {
  await page.evaluate(DRAWN)
  const all = await page.evaluate<[number, ...string[]][]>('window.jumps')
  return { total: all.reduce((sum, [value]) => sum + value, 0), all: JSON.stringify(all) }
}
