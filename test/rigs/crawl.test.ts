// The short form of the crawl rig (test/rigs/README.md), on a small generated website.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { NO_NGINX } from '../helpers/nginx.ts'
import { temporaryDirectory } from '../helpers/server.ts'
import { runCrawl } from './crawl/rig.ts'
import { writeSmallSite } from './crawl/small-site.ts'
import { NO_WGET } from './crawl/wget.ts'

const root = temporaryDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

test('wget copies a whole site from the server, from its live tree, and after a kill', {
  skip: NO_WGET || NO_NGINX,
}, async (t) => {
  const [source, directory] = [join(root, 'source'), join(root, 'rig')]
  mkdirSync(directory)
  writeSmallSite(source)
  const { faults, ...outcome } = await runCrawl({
    source,
    directory,
    published: 40,
    onProgress: (line) => t.diagnostic(line),
  })
  t.diagnostic(JSON.stringify(outcome))
  assert.deepEqual(faults, [])
  assert.equal(outcome.deadLinks, 0)
  assert.equal(outcome.byLinks, outcome.files)
  const { acknowledged, afterTheNextStart, published } = outcome.killed
  assert.ok(acknowledged >= published / 2 && afterTheNextStart >= acknowledged)
})
