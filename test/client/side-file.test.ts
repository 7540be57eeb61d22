// Titles, descriptions, types and states do not fit into a directory tree. The export writes them to a side
// file, and the import restores them.

import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { type ImportOptions, importTree } from '../../lib/client/import.ts'
import { formatExport, formatImport } from '../../lib/client/summary.ts'
import { openServer, type TestServer } from './server.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

async function newFolder(name: string, parent = 1): Promise<number> {
  const body = { name, parent_category_id: parent }
  return Number((await server.post('/api/v2/asset_category', body))['asset_category_id'])
}

/**
 * Creates a folder with a file in each state, a draft title, and a staged version with a different
 * name.
 */
async function makeSite(name: string): Promise<number> {
  const id = await newFolder(name)
  const inner = await newFolder('docs', id)
  await server.post(`/api/v2/asset_category/${inner}`, {
    title: 'Documents',
    description: 'Of all.',
  })
  const make = async (body: object): Promise<number> => {
    const whole = { type: 'html', parent_category_id: id, ...body }
    return Number((await server.post('/api/v2/asset_file', whole))['asset_file_id'])
  }
  await make({
    name: 'live.html',
    title: 'Live',
    description: 'x',
    pageContent: 'a',
    fileState: 'publish',
  })
  await make({ name: 'plain.txt', type: 'stml', parent_category_id: inner, fileState: 'publish' })
  await make({ name: 'staged.html', title: 'Staged', pageContent: 'b', fileState: 'stage' })
  await make({ name: 'draft.html', title: 'Draft', pageContent: 'c' })
  const moved = await make({
    name: 'old.html',
    title: 'Old',
    pageContent: 'd',
    fileState: 'publish',
  })
  const path = `/api/v2/asset_file/${moved}`
  await server.post(path, {
    name: 'stage.html',
    title: 'Stage',
    pageContent: 'e',
    fileState: 'stage',
  })
  await server.post(path, { name: 'latest.html', title: 'Latest', pageContent: 'f' })
  return id
}

async function run(
  categoryId: number,
  target: string,
  state: 'live' | 'stage' | 'latest',
  key = server.key,
) {
  return exportTree({ url: server.url, key, categoryId, target, state })
}

async function bring(source: string, categoryId: number, options: Partial<ImportOptions> = {}) {
  const { url, key } = server
  return importTree({ source, url, key, categoryId, publish: false, ...options })
}

/** All files below the folder, by name. */
async function filesOf(categoryId: number): Promise<Record<string, unknown>> {
  const { asset_category: inner } = await server.get(
    `/api/v2/asset_category?qry={"parent_category_id":${categoryId}}`,
  )
  const ids = [categoryId, ...(inner as any[]).map((folder) => folder.asset_category_id)]
  const fields = 'name,type,title,description,version,live_version,staged_version'
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: { $in: ids } }))
  const { asset_file: files } = await server.get(`/api/v2/asset_file?qry=${qry}&fields=${fields}`)
  return Object.fromEntries(
    (files as any[]).map((file) => {
      const {
        name,
        type,
        title,
        description,
        version,
        live_version: live,
        staged_version: staged,
      } = file
      const state = live === version ? 'live' : staged === version ? 'staged' : 'draft'
      return [name, [type, title, description, state].join()]
    }),
  )
}

const COMMON = { 'plain.txt': 'stml,,,live', 'live.html': 'html,Live,x,live' }
const EXPECTED = {
  live: { ...COMMON, 'old.html': 'html,Old,,live' },
  stage: { ...COMMON, 'staged.html': 'html,Staged,,staged', 'stage.html': 'html,Stage,,staged' },
  latest: {
    ...COMMON,
    'staged.html': 'html,Staged,,staged',
    'draft.html': 'html,Draft,,draft',
    'latest.html': 'html,Latest,,draft',
  },
}
const CONTENTS = { live: 'd', stage: 'e', latest: 'f' }

for (const state of ['live', 'stage', 'latest'] as const)
  it(`--state ${state}: fields, names and states of the version are restored on another site`, async (t) => {
    const from = await makeSite(`from ${state}`)
    const target = await temporaryDirectory(t)
    const exported = await run(from, target, state)
    assert.deepEqual(exported.failures, [])
    assert.equal(exported.others, 1)
    const text = formatExport(exported)
    assert.match(text, /^not exported: other drafts, staged or live versions of 1 file, older/m)
    const tree = await readTree(target)
    const [name = ''] = Object.keys(tree).filter((path) => /^(old|stage|latest)\.html$/.test(path))
    assert.equal(tree[name], CONTENTS[state])
    assert.equal(name, { live: 'old.html', stage: 'stage.html', latest: 'latest.html' }[state])

    const to = await newFolder(`to ${state}`)
    const imported = await bring(target, to)
    assert.deepEqual(imported.failures, [])
    assert.match(formatImport(imported), /^set titles, descriptions, states and menus from \.cms/m)
    assert.deepEqual(await filesOf(to), EXPECTED[state])
    const { asset_category: folders } = await server.get(
      `/api/v2/asset_category?qry={"parent_category_id":${to}}`,
    )
    const [docs, ...others] = folders as any[]
    assert.deepEqual(
      [docs.name, docs.title, docs.description, others],
      ['docs', 'Documents', 'Of all.', []],
    )

    const again = await bring(target, to)
    assert.deepEqual([again.uploaded, again.replaced, again.published], [0, 0, 0])
    const versions = (await server.get(`/api/v2/asset_file?qry={"parent_category_id":${to}}`))[
      'asset_file'
    ]
    assert.deepEqual([...new Set((versions as any[]).map((file) => file.version))], [1])
  })

it('existing files get the fields and the state, except with --no-records', async (t) => {
  const target = await temporaryDirectory(t)
  await run(await makeSite('again'), target, 'latest')
  const to = await newFolder('there')
  const plain = await bring(target, to, { records: false })
  assert.deepEqual([plain.uploaded, plain.hasRecords], [5, false])
  assert.ok(Object.values(await filesOf(to)).every((fields) => String(fields).endsWith(',,,draft')))

  const described = await bring(target, to)
  assert.deepEqual(described.failures, [])
  assert.deepEqual([described.unchanged, described.published, described.failed], [5, 2, 0])
  assert.deepEqual(await filesOf(to), EXPECTED.latest)

  await writeFile(join(target, 'live.html'), 'another content')
  const replaced = await bring(target, to)
  assert.deepEqual([replaced.replaced, replaced.published], [1, 1])
  assert.deepEqual(await filesOf(to), EXPECTED.latest)
})

it('a page that is not UTF-8 fails with its line and byte', async (t) => {
  const target = await temporaryDirectory(t)
  await run(await makeSite('not UTF-8'), target, 'live')
  await writeFile(join(target, 'docs/plain.txt'), Buffer.from('one\ncaf\u00e9', 'latin1'))
  const { failures } = await bring(target, await newFolder('of no page'))
  assert.equal(failures.length, 1)
  assert.match(
    failures[0]?.detail ?? '',
    /plain\.txt is a page.* in line 2, at byte 7: save it as UTF-8/,
  )
})

it('a key with view only exports live versions with their visible fields', async (t) => {
  const from = await makeSite('viewed')
  const target = await temporaryDirectory(t)
  const key = await server.makeKey('--grants', 'view')
  const { failures } = await run(from, target, 'live', key)
  assert.deepEqual(failures, [])
  assert.ok('old.html' in (await readTree(target)))
  assert.match(
    await readFile(join(target, '.cms/records.ndjson'), 'utf8'),
    /"old.html".*"title":"Old"/,
  )
})

it('a damaged side file ends the import before anything is sent', async (t) => {
  const source = await writeTree(t, { 'a.txt': 'a', '.cms/own.txt': 'own' })
  await mkdir(join(source, '.cms'), { recursive: true })
  const side = join(source, '.cms/records.ndjson')
  const to = await newFolder('damaged')
  for (const [text, reason] of [
    ['{"cms_records":2}', /not a file of format 1/],
    ['{"cms_records":1}\n{"file":"a.txt"}', /Line 2 of \.cms\/records\.ndjson/],
    ['{"cms_records":1}\nx', /Line 2 of the file is not JSON/],
  ] as const) {
    await writeFile(side, text)
    await assert.rejects(bring(source, to), reason)
  }
  assert.deepEqual(await filesOf(to), {})
  await bring(source, to, { records: false })
  assert.deepEqual(Object.keys(await filesOf(to)).toSorted(), ['a.txt', 'own.txt'])
})

it('carries the layouts of folders and pages by path', async (t) => {
  const from = await newFolder('laid-out')
  const parts = await newFolder('parts', from)
  const [main, other] = await Promise.all(
    ['main.html', 'other.html'].map(async (name) => {
      const file = { name, type: 'html', parent_category_id: parts, fileState: 'publish' }
      const made = await server.post('/api/v2/asset_file', {
        ...file,
        pageContent: '[page_content]',
      })
      return Number(made['asset_file_id'])
    }),
  )
  const outside = await server.post('/api/v2/asset_file', {
    name: 'outside.html',
    type: 'html',
    parent_category_id: await newFolder('elsewhere'),
  })
  await server.post(`/api/v2/asset_category/${from}`, { layout_file_id: main })
  await server.post(`/api/v2/asset_category/${parts}`, { layout_file_id: 0 })
  const page = { type: 'html', parent_category_id: from, fileState: 'publish' }
  await server.post('/api/v2/asset_file', { ...page, name: 'a.html', layout_file_id: other })
  const lost = { ...page, name: 'b.html', layout_file_id: outside['asset_file_id'] }
  await server.post('/api/v2/asset_file', lost)
  await server.post('/api/v2/asset_file', { ...page, name: 'c.html' })

  const target = await temporaryDirectory(t)
  const { failed, failures } = await run(from, target, 'live')
  assert.deepEqual([failed, failures.map(({ path }) => path)], [1, ['b.html']])
  const to = await newFolder('copied')
  const options = {
    source: target,
    url: server.url,
    key: server.key,
    categoryId: to,
    publish: false,
  }
  for (const time of ['first', 'again']) {
    const { failures: refused } = await importTree(options)
    assert.deepEqual(refused, [], time)
  }
  const list = async (object: string, folder: number): Promise<any[]> => {
    const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folder }))
    return (await server.get(`/api/v2/${object}?qry=${qry}`))[object] as any[]
  }
  const [copied] = await list('asset_category', to)
  const [newMain, newOther] = await list('asset_file', copied.asset_category_id)
  const root = await server.get(`/api/v2/asset_category/${to}`)
  assert.deepEqual([root['layout_file_id'], copied.layout_file_id], [newMain.asset_file_id, 0])
  assert.notEqual(newMain.asset_file_id, main)
  const pages = (await list('asset_file', to)).map((file) => [
    file.name,
    file.layout_file_id,
    file.version === file.live_version,
  ])
  assert.deepEqual(pages.toSorted(), [
    ['a.html', newOther.asset_file_id, true],
    ['b.html', null, true],
    ['c.html', null, true],
  ])
})
