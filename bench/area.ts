// The administration area in a real browser: bytes, requests, and the time until the wanted content is
// visible. The job runs only by name (`npm run bench -- area`), because it needs Chromium at CHROME_PATH or
// in Debian's place. Each figure is the median of several browsers with empty caches, beside the sign-in page
// of PocketBase's dashboard.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROME, PASSWORD, signIn } from './browsers.ts'
import { median } from './load.ts'
import { sender } from './peer.ts'
import { fetchPocketBase, startEmptyPocketBase } from './pocketbase.ts'
import { makeKey, type Running, startCms } from './processes.ts'
import type { Fact, Pair } from './report.ts'
import { auth, form, post } from './requests.ts'
import { scratchDir } from './scratch.ts'

const ROUNDS = 5
const FOLDERS = 10_000
const FILES = 1_000
const ENTRIES = 100_000
const ENTRIES_AT_ONCE = 500
const TEXT_BYTES = 100_000
/** Number of files, and bytes of each file. */
const UPLOADS = [
  [1_000, 20_000],
  [1, 200_000_000],
] as const
const UPLOAD_TIMEOUT_MS = 300_000

interface Shown {
  readonly name: string
  readonly path: string
  /** A selector of the content that makes the page useful. */
  readonly wanted: string
  readonly isSignedIn?: boolean
}

interface Opened {
  readonly ms: number
  readonly requests: number
  readonly bytes: number
}

export async function measureArea(): Promise<{
  readonly facts: readonly Fact[]
  readonly pairs: readonly Pair[]
}> {
  const browser = await chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] })
  try {
    const other = await measurePocketBase(browser)
    const data = join(scratchDir(), 'data')
    const cms = await startCms(data)
    try {
      const site = { url: cms.url, key: makeKey(data) }
      const pages = await makeSite(site)
      const facts: Fact[] = []
      const own = await measurePage(browser, cms, SIGN_IN)
      for (const page of pages) facts.push(...factsOf(page, await measurePage(browser, cms, page)))
      facts.push(...(await measureUploads(browser, cms)))
      return { facts, pairs: pairsOf(own, other) }
    } finally {
      await cms.stop()
    }
  } finally {
    await browser.close()
  }
}

const SIGN_IN: Shown = { name: 'sign-in', path: '/admin', wanted: 'input[type=password]' }

async function measurePocketBase(browser: Browser): Promise<Opened> {
  const running = await startEmptyPocketBase(fetchPocketBase())
  try {
    return await measurePage(browser, running, { ...SIGN_IN, path: '/_/' })
  } finally {
    await running.stop()
  }
}

interface Site {
  readonly url: string
  readonly key: string
}

/** Creates large sets of folders, files and entries, and returns the pages that show them. */
async function makeSite(site: Site): Promise<readonly Shown[]> {
  await post(site, '/api/v2/user/1/password', { password: PASSWORD })
  const makeFolder = async (name: string): Promise<number> => {
    const json = { name, parent_category_id: 1 }
    const made = (await post(site, '/api/v2/asset_category', json)) as {
      readonly asset_category_id: number
    }
    return made.asset_category_id
  }
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
  const inFlight = { concurrency: 16 }
  await pMap(numbers(FOLDERS), (at) => makeFolder(`Folder ${at + 10_000}`), inFlight)
  const full = await makeFolder('Full')
  const send = sender(site.url, auth(site))
  const upload = async (name: string, bytes: number): Promise<number> => {
    const sent = form({
      field: 'asset_category_id',
      id: full,
      bytes: Buffer.from(`<p>${name}</p>\n`.padEnd(bytes, 'lorem ipsum dolor sit amet\n')),
      name,
    })
    const made = (await send({ method: 'POST', path: '/upload', ...sent })) as {
      readonly asset_file_id: number
    }
    return made.asset_file_id
  }
  await pMap(numbers(FILES), (at) => upload(`page-${at}.html`, 2_000), inFlight)
  const text = await upload('long.html', TEXT_BYTES)
  const schema = 'title C(250) NOTNULL, author C(100), amount N(12.2), day D, body X'
  await post(site, '/api/v2/datatable', { name: 'Articles', table_schema: schema })
  await pMap(
    numbers(ENTRIES / ENTRIES_AT_ONCE),
    (at) => post(site, '/api/v2/module/datatable/1/articles', entriesFrom(at * ENTRIES_AT_ONCE)),
    { concurrency: 2 },
  )
  const { calendar_id: calendar } = (await post(site, '/api/v2/calendar', { name: 'Events' })) as {
    readonly calendar_id: number
  }

  const signedIn = (name: string, path: string, wanted: string): Shown => ({
    name,
    path,
    wanted,
    isSignedIn: true,
  })
  return [
    SIGN_IN,
    signedIn('start page', '/admin', 'main h1'),
    signedIn(`tree of ${FOLDERS} folders`, '/admin/content/1', '[role=treeitem]'),
    signedIn(`folder of ${FILES} files`, `/admin/content/${full}`, 'main tbody tr'),
    signedIn(`editor, ${TEXT_BYTES / 1000} KB`, `/admin/content/file/${text}/edit`, '.cm-content'),
    signedIn(`grid of ${ENTRIES} entries`, '/admin/data/1', '[role=gridcell]'),
    signedIn('calendar', `/admin/calendars/${calendar}`, 'main h1'),
    signedIn('dashboard', '/admin/dashboard', 'main canvas'),
  ]
}

function entriesFrom(first: number): readonly object[] {
  return Array.from({ length: ENTRIES_AT_ONCE }, (_, at) => ({
    title: `Title number ${first + at}`,
    author: `Author ${at % 50}`,
    amount: `${first + at}.50`,
    day: '2026-05-04',
    body: 'lorem ipsum dolor sit amet '.repeat(8),
  }))
}

async function measurePage(browser: Browser, { url }: Running, page: Shown): Promise<Opened> {
  const found: Opened[] = []
  // The first round warms the caches of the system and the server and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const context = await browser.newContext()
    try {
      if (page.isSignedIn === true) await signIn(context, url)
      const opened = await openPage(
        await context.newPage(),
        `${url.replace(/\/$/, '')}${page.path}`,
        page.wanted,
      )
      if (round > 0) found.push(opened)
    } finally {
      await context.close()
    }
  }
  const of = (what: keyof Opened): number => median(found.map((each) => each[what]))
  return { ms: of('ms'), requests: of('requests'), bytes: of('bytes') }
}

/** Chooses the files in the page and waits until the page reports that all are uploaded. */
async function measureUploads(browser: Browser, { url }: Running): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const write = (count: number, bytes: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => {
      const path = join(dir, `upload-${bytes}-${at}.txt`)
      writeFileSync(path, Buffer.alloc(bytes, `${at} `))
      return path
    })
  const context = await browser.newContext()
  try {
    await signIn(context, url)
    const page = await context.newPage()
    const facts: Fact[] = []
    for (const [count, bytes] of UPLOADS) {
      const paths = write(count, bytes)
      await page.goto(`${url}/admin/content/1`)
      await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
      const began = performance.now()
      await page.setInputFiles('input[type=file] >> nth=0', paths)
      await page.getByText(/^[\d,]+ files? uploaded$/).waitFor({ timeout: UPLOAD_TIMEOUT_MS })
      const seconds = (performance.now() - began) / 1_000
      const name = `area, upload of ${count} of ${bytes / 1_000} KB`
      facts.push({ name, value: Math.round(seconds * 10) / 10, unit: 's' })
    }
    return facts
  } finally {
    await context.close()
  }
}

/**
 * The time runs from the request to the frame that shows the content; bytes and requests count
 * until the network is idle.
 */
async function openPage(page: Page, url: string, wanted: string): Promise<Opened> {
  let [requests, bytes] = [0, 0]
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests += 1
    bytes += encodedDataLength
  })
  await page.addInitScript(noteTimeOf(wanted))
  await page.goto(url)
  const seen = page.locator('html[data-seen-after-ms]')
  await seen.waitFor()
  const ms = Number(await seen.getAttribute('data-seen-after-ms'))
  await page.waitForLoadState('networkidle')
  return { ms, requests, bytes }
}

/** A script as text, because the types of this program do not include the DOM. */
function noteTimeOf(selector: string): string {
  return `{
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
      else requestAnimationFrame(() => { document.documentElement.dataset.seenAfterMs = performance.now() })
    }
    requestAnimationFrame(look)
  }`
}

function factsOf({ name }: Shown, { ms, requests, bytes }: Opened): readonly Fact[] {
  return [
    { name: `area, ${name}: to be seen`, value: Math.round(ms), unit: 'ms' },
    { name: `area, ${name}: loaded, in ${requests} requests`, value: kilobytes(bytes), unit: 'KB' },
  ]
}

function pairsOf(own: Opened, other: Opened): readonly Pair[] {
  const pair = (name: string, unit: string, of: (opened: Opened) => number): Pair => ({
    name,
    own: of(own),
    other: of(other),
    unit,
  })
  return [
    pair('sign-in in a browser, to be seen', 'ms', ({ ms }) => Math.round(ms)),
    pair('sign-in in a browser, loaded', 'KB', ({ bytes }) => kilobytes(bytes)),
    pair('sign-in in a browser, requests', '', ({ requests }) => requests),
  ]
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10
}
