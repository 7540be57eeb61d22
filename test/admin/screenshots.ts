// npm run screenshots: every page, wide and narrow, light and dark, as pictures in screenshots/. Words after it are
// those that the names of pages hold: node dist/test/admin/screenshots.js sign-in

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../helpers/browser.ts'
import { open, SHOWN, startSite, visit } from './area.ts'

const FOLDER = 'screenshots'

const words = process.argv.slice(2)
const wanted = Object.entries(SHOWN).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
)

mkdirSync(FOLDER, { recursive: true })
const server = await startSite()
const browser = await openBrowser()
for (const [name, shown] of wanted) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_280, 360]) {
      const user = shown.isSignedIn === true ? 'admin' : undefined
      const viewport = { width, height: 800 }
      const visited = await visit(browser, { url: server.url, user, colorScheme, viewport })
      await open(visited, server.url, shown)
      // What moves has come to rest.
      await visited.page.waitForTimeout(300)
      await visited.page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
      await visited.context.close()
    }
  }
}
await browser.close()
await server.close()
