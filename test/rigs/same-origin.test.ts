// The short form of the same-origin rig (test/rigs/README.md): the whole rig, once in each browser.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NO_BROWSER } from '../helpers/browser.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { NO_FIREFOX } from '../helpers/firefox.ts'
import { type BrowserName, runSameOrigin } from './same-origin/rig.ts'

after(removeDataDirectories)

const BROWSERS: readonly (readonly [BrowserName, string | false])[] = [
  ['chromium', NO_BROWSER],
  ['firefox', NO_FIREFOX],
]

for (const [name, skip] of BROWSERS) {
  test(`X1: stored content runs no script on a page of the server in ${name}`, {
    skip,
  }, async (t) => {
    const { faults, opened, controls, pages } = await runSameOrigin(name)
    t.diagnostic(`${pages} pages, ${opened} windows; without a policy ran ${controls.join(', ')}`)
    assert.deepEqual(faults, [])
    assert.ok(opened >= 4, String(opened))
    assert.ok(controls.length >= 5, controls.join(', '))
  })
}
