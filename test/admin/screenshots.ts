// npm run screenshots: every page, wide and narrow, light and dark, as images in screenshots/. Arguments
// select the pages whose names contain one of the words: node dist/test/admin/screenshots.js sign-in

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../helpers/browser.ts'
import { open, SHOWN, type Shown, visit } from './area.ts'
import { visitGallery } from './open-gallery.ts'
import { startWholeSite } from './whole-site.ts'

const FOLDER = 'screenshots'

/** The page with all components. */
const GALLERY = 'gallery'

const words = process.argv.slice(2)
const all = { ...SHOWN, [GALLERY]: { path: '/', isSignedIn: true, heading: 'Gallery' } }
const wanted = Object.entries<Shown>(all).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
)

mkdirSync(FOLDER, { recursive: true })
const server = await startWholeSite()
const browser = await openBrowser()
for (const [name, shown] of wanted) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_280, 360]) {
      const user = shown.isSignedIn === true ? 'admin' : undefined
      const options = { url: server.url, user, colorScheme, viewport: { width, height: 800 } }
      const isGallery = name === GALLERY
      const visited = await (isGallery ? visitGallery : visit)(browser, options)
      await open(visited, server.url, shown)
      await shown.pose?.(visited.page)
      // Waits until animations have ended.
      await visited.page.waitForTimeout(isGallery ? 600 : 300)
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`)
      await visited.page.screenshot({ path, fullPage: isGallery })
      await visited.context.close()
    }
  }
}
await browser.close()
await server.close()
