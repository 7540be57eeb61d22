// The files that the server makes in a live tree: robots.txt and sitemap.xml.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { startTestServer, temporaryDirectory } from '../helpers/server.ts'
import { eventually, treeIn, untilTree } from '../helpers/tree.ts'

test('the tree has a generated robots.txt and sitemap.xml, unless live files have these names', async () => {
  const liveTree = join(temporaryDirectory(), 'tree')
  const tree = join(liveTree, 'www.example.org')
  const sites = [{ origin: 'https://www.example.org', folder: '/Main/website' }]
  const config = { sites, liveTree }
  let server = await startTestServer()
  const { dataDir } = server
  const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
  const put = (name: string, pageContent: string): Promise<any> =>
    makeFile(server, {
      ...{ name, type: name.split('.').at(-1), parent_category_id: root },
      ...{ pageContent, fileState: 'publish' },
    })
  await put('page.html', 'page')
  const restart = async (): Promise<void> => {
    await server.stop()
    server = await startTestServer({ dataDir, config })
  }
  const isMade = async (): Promise<void> =>
    eventually(() => {
      const files = treeIn(tree)
      assert.deepEqual(Object.keys(files), ['page.html', 'robots.txt', 'sitemap.xml'])
      assert.match(files['robots.txt'] ?? '', /^Sitemap: .*\/sitemap\.xml$/m)
      assert.match(files['sitemap.xml'] ?? '', /<loc>https:\/\/www\.example\.org\/page\.html</)
    })
  await restart()
  await isMade()

  const own = await put('robots.txt', 'User-agent: *\nDisallow: /\n')
  const ownMap = await put('sitemap.xml', '<urlset/>')
  const all = {
    'page.html': 'page',
    'robots.txt': 'User-agent: *\nDisallow: /\n',
    'sitemap.xml': '<urlset/>',
  }
  await untilTree(tree, all)
  await restart()
  await server.call('GET', '/ready')
  await untilTree(tree, all)
  for (const { asset_file_id: id } of [own, ownMap])
    await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
  await server.stop()
  // Left by a larger site, and damaged.
  writeFileSync(join(tree, 'sitemap-7.xml'), 'old')
  writeFileSync(join(tree, 'robots.txt'), 'old')
  server = await startTestServer({ dataDir, config })
  await isMade()
  assert.equal(readFileSync(join(tree, 'page.html'), 'utf8'), 'page')
  await server.close()
  rmSync(liveTree, { recursive: true })
})
