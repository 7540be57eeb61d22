// Tabs that later tests reuse. A new context costs a new process, an empty cache and 29 scripts to compile: about 490 ms
// of processor time with the first page of the area. In a tab that was kept, the page costs about 210 ms.
//
// A kept tab is in the state of a new tab: it has no cookies, stored data, routes, permissions, listeners and other
// tabs of earlier tests. A tab on which a test used a method with a lasting effect is not kept.

import type { Browser, BrowserContextOptions, Disposable, Page } from 'playwright-core'

interface Tab {
  readonly page: Page
  /** The options of the context, which cannot change. */
  readonly kind: string
  readonly close: () => Promise<void>
  readonly initScripts: Promise<Disposable>[]
  isSpoilt: boolean
}

/** Idle tabs of one browser. Each tab occupies a process. */
const MOST_IDLE = 3

/** Methods with effects that only the end of the context ends. */
const LASTING = {
  context: ['exposeBinding', 'exposeFunction', 'newCDPSession', 'on', 'setOffline'],
  page: ['emulateMedia'],
  clock: ['install'],
}

/** Events of a page that tests listen to. */
const EVENTS = ['console', 'dialog', 'pageerror', 'request', 'response']

const USUAL_VIEWPORT = { width: 1_280, height: 720 }

/** Removes everything that a site has stored, except cookies. */
const CLEAR = `(async () => {
  localStorage.clear()
  sessionStorage.clear()
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  const files = await navigator.storage.getDirectory()
  for await (const name of files.keys()) await files.removeEntry(name, { recursive: true })
})()`

const idle = new WeakMap<Browser, Tab[]>()

/** Returns a tab of a context with these options. The method `close` of the context keeps the tab if it shows the area. */
export async function openKeptTab(
  browser: Browser,
  options: BrowserContextOptions,
  area: string,
): Promise<Page> {
  const kind = JSON.stringify(options)
  const tabs = idle.get(browser) ?? []
  idle.set(browser, tabs)
  const at = tabs.findIndex((each) => each.kind === kind)
  const [tab = await openNewTab(browser, options)] = at < 0 ? [] : tabs.splice(at, 1)
  const { page } = tab
  page.context().close = async () => {
    if (!(await reset(tab, options, area))) return tab.close()
    tabs.push(tab)
    if (tabs.length > MOST_IDLE) await tabs.shift()?.close()
  }
  return page
}

async function openNewTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const close = context.close.bind(context)
  const kind = JSON.stringify(options)
  const tab: Tab = { page, kind, close, initScripts: [], isSpoilt: false }
  for (const target of [context, page])
    afterCalls(target, ['addInitScript'], (added) =>
      tab.initScripts.push(added as Promise<Disposable>),
    )
  const spoil = () => {
    tab.isSpoilt = true
  }
  afterCalls(context, LASTING.context, spoil)
  afterCalls(page, LASTING.page, spoil)
  afterCalls(context.clock, LASTING.clock, spoil)
  return tab
}

/** Calls `act` with the result of every later call of these methods. */
function afterCalls(
  target: object,
  names: readonly string[],
  act: (result: unknown) => unknown,
): void {
  const methods = target as Record<string, (...args: readonly unknown[]) => unknown>
  for (const name of names) {
    const method = methods[name]?.bind(target)
    methods[name] = (...args) => {
      const result = method?.(...args)
      act(result)
      return result
    }
  }
}

/** Returns false if the tab cannot be kept. */
async function reset(tab: Tab, { viewport }: BrowserContextOptions, area: string) {
  const { page } = tab
  const context = page.context()
  if (tab.isSpoilt || page.isClosed()) return false
  for (const event of EVENTS) page.removeAllListeners(event)
  const others = context.pages().filter((each) => each !== page)
  await Promise.all(others.map((each) => each.close()))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const added of tab.initScripts.splice(0)) await (await added).dispose()
  await context.clearPermissions()
  // An empty page that the area opens keeps the process and the origin. The area may store data when it is left.
  const left = await page.evaluate<string>(
    "setTimeout(() => location.replace('about:blank')), location.href",
  )
  if (!left.startsWith(area)) return false
  await page.waitForURL('about:blank')
  await context.clearCookies()
  await page.evaluate(CLEAR)
  await page.setViewportSize(viewport ?? USUAL_VIEWPORT)
  return true
}
