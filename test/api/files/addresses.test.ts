// Addresses of live files: the name belongs to the version, and former addresses redirect.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { assetFile } from '../../../lib/schema/asset-file.ts'
import { runCli } from '../../helpers/child-server.ts'
import { oneServer } from '../../helpers/engine.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { tamper } from '../../helpers/site.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const get = (path: string) => server.call('GET', path)
const save = (id: number, json: object) => server.call('POST', `/api/v2/asset_file/${id}`, { json })

/** The response that a visitor gets: the text, the redirect target, or the code of the problem. */
async function seen(path: string): Promise<string> {
  const { status, text, headers, body } = await get(path)
  if (status === 200) return text
  return status === 308 ? String(headers['location']) : String(body.code)
}

async function makeLive() {
  const folder = await makeFolder(server)
  const name = newName()
  const parent_category_id = folder.asset_category_id
  const file = await makeFile(server, {
    ...{ name, parent_category_id, pageContent: 'v1', fileState: 'publish' },
  })
  const id: number = file.asset_file_id
  return { id, name, folder: parent_category_id as number, url: file.url as string }
}

test('a draft with another name and type does not change the live version', async () => {
  const { id, name, folder, url } = await makeLive()
  const before = await get(url)
  const saved = await save(id, { name: `new-${name}`, type: 'txt', pageContent: 'v2' })
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.body.url, url)

  const now = await get(url)
  assert.deepEqual([now.status, now.text], [200, 'v1'])
  for (const header of ['content-type', 'content-disposition', 'etag'])
    assert.equal(now.headers[header], before.headers[header], header)
  assert.equal(await seen(`/file/${folder}/${name}`), 'v1')
  assert.equal(await seen(`/file/${id}/new-${name}`), 'not-found')
  assert.equal(await seen(`/file/${folder}/new-${name}`), 'not-found')
  assert.equal(await seen(`/file/${id}/new-${name}?version=2`), 'v2')
})

test('a key that may only view is shown the live version of a file with a draft', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `new-${name}`, type: 'txt', title: 'Draft', pageContent: 'v2' })
  const json = { name: newName('key'), grants: ['view'] }
  const { body } = await server.call('POST', '/api/v2/api_key', { json })
  const view = (path: string) => server.call('GET', path, { key: body.secret })
  const one = await view(`/api/v2/asset_file/${id}`)
  const shown = { name, type: 'html', title: null, pageContent: 'v1', url: `/file/${id}/${name}` }
  for (const [field, value] of Object.entries(shown)) assert.equal(one.body[field], value, field)
  assert.ok(one.body.path.endsWith(`/${name}`), one.body.path)

  const search = (qry: object) =>
    view(`/api/v2/asset_file?qry=${encodeURIComponent(JSON.stringify(qry))}`)
  const inFolder = await search({ parent_category_id: folder })
  assert.deepEqual(
    [inFolder.body.asset_file[0].name, inFolder.body.asset_file[0].type],
    [name, 'html'],
  )
  const draft = await search({ name: `new-${name}` })
  assert.deepEqual(draft.body.asset_file, [])
})

test('the name of a live version cannot be taken in its folder', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `new-${name}` })
  const json = { name: name.toUpperCase(), type: 'html', parent_category_id: folder }
  const refused = await server.call('POST', '/api/v2/asset_file', { json })
  assert.equal(assertProblem(refused, 'name-taken').asset_file_id, id)

  const other = await makeFile(server, { parent_category_id: folder })
  assertProblem(await save(other.asset_file_id, { name }), 'name-taken')
  const elsewhere = await makeFile(server, { name })
  assertProblem(await save(elsewhere.asset_file_id, { parent_category_id: folder }), 'name-taken')
  // The file itself may take back its former name.
  assert.equal((await save(id, { name })).status, 200)
  assert.equal(await seen(`/file/${folder}/${name}`), 'v1')
})

test('after a publish with another name the former address is redirected until it is taken', async () => {
  const { id, name, folder, url } = await makeLive()
  const saved = await save(id, { name: `new-${name}`, pageContent: 'v2', fileState: 'publish' })
  assert.equal(saved.body.url, `/file/${id}/new-${name}`)
  assert.equal(await seen(`${url}?v=1`), `/file/${id}/new-${name}?v=1`)
  assert.equal(await seen(`/file/${folder}/${name}`), `/file/${id}/new-${name}`)
  assert.equal(await seen(`/file/${folder}/new-${name}`), 'v2')

  const other = await makeFile(server, { name, parent_category_id: folder, pageContent: 'other' })
  assert.equal(await seen(`/file/${folder}/${name}`), `/file/${id}/new-${name}`, 'a draft')
  await save(other.asset_file_id, { fileState: 'publish' })
  assert.equal(await seen(`/file/${folder}/${name}`), 'other')
  await server.call('DELETE', `/api/v2/asset_file/${other.asset_file_id}`)
  assert.equal(await seen(`/file/${folder}/${name}`), 'not-found')
})

test('an older version goes live under its own name if the name is free', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `new-${name}`, pageContent: 'v2', fileState: 'publish' })
  const back = await server.call('POST', `/api/v2/asset_file/${id}/publish?version=1`)
  assert.equal(back.body.url, `/file/${id}/${name}`)
  assert.equal(await seen(`/file/${folder}/${name}`), 'v1')
  assert.equal(await seen(`/file/${folder}/new-${name}`), `/file/${id}/${name}`)

  await server.call('POST', `/api/v2/asset_file/${id}/publish`)
  await makeFile(server, { name, parent_category_id: folder })
  const refused = await server.call('POST', `/api/v2/asset_file/${id}/publish?version=1`)
  assertProblem(refused, 'name-taken')
})

test('a move of a live file needs publish in both folders, and leaves a redirect', async () => {
  const { id, name, folder } = await makeLive()
  const other = await makeFolder(server)
  const target: number = other.asset_category_id
  const json = { name: newName('key'), grants: ['view', 'create', 'modify'] }
  const made = await server.call('POST', '/api/v2/api_key', { json })
  const move = { json: { parent_category_id: target }, key: made.body.secret as string }

  const refused = await server.call('POST', `/api/v2/asset_file/${id}`, move)
  assert.match(
    assertProblem(refused, 'grant-missing').detail,
    /publish.*live.*unpublish the file first/,
  )
  await save(id, { name: `new-${name}` })
  const moved = await save(id, { parent_category_id: target })
  assert.equal(moved.status, 200, moved.text)
  assert.equal(await seen(`/file/${target}/${name}`), 'v1')
  assert.equal(await seen(`/file/${folder}/${name}`), `/file/${id}/${name}`)
  assert.equal(await seen(`/file/${folder}/new-${name}`), 'not-found')

  await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
  assert.equal(await seen(`/file/${folder}/${name}`), 'not-found')
  const free = { json: { parent_category_id: folder }, key: made.body.secret as string }
  assert.equal((await server.call('POST', `/api/v2/asset_file/${id}`, free)).status, 200)
})

test('a deleted file frees all its addresses', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `new-${name}`, fileState: 'publish' })
  await save(id, { name: `draft-${name}` })
  await server.call('DELETE', `/api/v2/asset_file/${id}`)
  for (const one of [name, `new-${name}`, `draft-${name}`]) {
    assert.equal(await seen(`/file/${folder}/${one}`), 'not-found')
    await makeFile(server, { name: one, parent_category_id: folder })
  }
})

test(
  'a file does not take the address of a file in a folder with the same number',
  oneServer('earlier'),
  async () => {
    const first = await startTestServer({ dataDir: newDataDirectory() })
    const { asset_file_id: id, url } = await makeFile(first, { fileState: 'publish' })
    const folder = await makeFolder(first)
    const held = await makeFile(first, {
      ...{ name: 'logo.html', pageContent: 'logo', fileState: 'publish' },
      parent_category_id: folder.asset_category_id,
    })
    await first.stop()
    // Earlier versions could assign the same number to a file and a folder.
    await tamper(first.dataDir, (_, records) =>
      records.commit((unit) => {
        const above = unit.get(assetCategory.recordType, folder.asset_category_id)?.value
        const file = unit.get(assetFile.recordType, held.asset_file_id)?.value
        assert.ok(above !== undefined && file !== undefined)
        unit.put(assetCategory.recordType, [id], { ...above, asset_category_id: id, name: 'twin' })
        unit.put(assetFile.recordType, [held.asset_file_id], { ...file, parent_category_id: id })
      }),
    )
    const checked = await runCli(['check', '--data', first.dataDir])
    assert.match(
      checked.stdout,
      new RegExp(`known: asset_file ${id} and asset_category ${id} have`),
    )
    assert.equal(checked.code, 0)

    const second = await startTestServer({ dataDir: first.dataDir })
    const post = (path: string, json: object) =>
      second.call('POST', `/api/v2/asset_file/${id}${path}`, { json })
    const textAt = async (path: string) => (await second.call('GET', path)).text
    assert.equal(await textAt(`/file/${id}/logo.html`), 'logo')
    assertProblem(await post('', { name: 'logo.html', fileState: 'publish' }), 'address-taken')
    assert.equal((await post('', { name: 'logo.html' })).status, 200)
    assertProblem(await post('/publish', {}), 'address-taken')
    assert.equal(await textAt(`/file/${id}/logo.html`), 'logo')
    assert.equal(await textAt(url), '<p>1</p>')
    assert.equal((await post('', { name: 'other.html', fileState: 'publish' })).status, 200)
    await second.close()
  },
)

test('the former address with the number of the file stays a redirect when another file takes the name', async () => {
  const { id, name, folder, url } = await makeLive()
  await save(id, { name: `new-${name}`, fileState: 'publish' })
  const other = await makeFile(server, {
    ...{ name, parent_category_id: folder, pageContent: 'other', fileState: 'publish' },
  })
  assert.equal(await seen(`/file/${folder}/${name}`), 'other')
  assert.equal(await seen(url), `/file/${id}/new-${name}`)
  assert.equal(await seen(other.url), 'other')
})

test('the staged version is read by its own name, with the number of the file or of its folder', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `staged-${name}`, pageContent: 'v2', fileState: 'stage' })
  await save(id, { name: `draft-${name}`, pageContent: 'v3' })
  for (const number of [id, folder]) {
    assert.equal(await seen(`/file/${number}/staged-${name}?state=stage`), 'v2')
    assert.equal(await seen(`/file/${number}/STAGED-${name}?version=3`), 'v3')
    assert.equal(await seen(`/file/${number}/staged-${name}`), 'not-found', 'a visitor')
  }

  // A draft of another file with the same name does not hide the staged file.
  const parent_category_id = folder
  const other = await makeFile(server, { name: `staged-${name}`, parent_category_id })
  assert.equal(await seen(`/file/${folder}/staged-${name}?state=stage`), 'v2')
  await save(other.asset_file_id, { pageContent: 'other', fileState: 'stage' })
  assert.equal(await seen(`/file/${folder}/staged-${name}?state=stage`), 'other')
  await server.call('DELETE', `/api/v2/asset_file/${other.asset_file_id}`)

  const moved = await makeFolder(server)
  await save(id, { parent_category_id: moved.asset_category_id })
  const inMoved = `/file/${moved.asset_category_id}/staged-${name}?state=stage`
  assert.equal(await seen(`/file/${folder}/staged-${name}?state=stage`), 'not-found')
  assert.equal(await seen(inMoved), 'v2')
  await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
  assert.equal(await seen(inMoved), 'v2')
  await server.call('POST', `/api/v2/asset_file/${id}/unstage`)
  assert.equal(await seen(inMoved), 'not-found')
})

test('an address reveals neither the name of a draft nor of the staged version to a key with view only', async () => {
  const { id, name, folder } = await makeLive()
  await save(id, { name: `staged-${name}`, fileState: 'stage' })
  await save(id, { name: `draft-${name}` })
  const json = { name: newName('key'), grants: ['view'] }
  const { body: made } = await server.call('POST', '/api/v2/api_key', { json })
  for (const number of [id, folder])
    for (const query of ['', '?state=stage', '?version=2'])
      for (const other of [`staged-${name}`, `draft-${name}`]) {
        const path = `/file/${number}/${other}${query}`
        assertProblem(await server.call('GET', path, { key: made.secret }), 'not-found')
      }
})
