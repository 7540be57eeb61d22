// Public folders: everybody reads their live files without a key, and nothing else.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make, makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const noKey = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('GET', address, { key: null, headers })

/** A live page in a new folder, and the address by its folder. */
async function makePage(folder: object, page: object = {}): Promise<any> {
  const { asset_category_id: id } = await makeFolder(server, folder)
  const file = await makeFile(server, { parent_category_id: id, fileState: 'publish', ...page })
  return { folder: id, file, address: `/file/${id}/${file.name}` }
}

describe('a public folder', () => {
  test('shows its live files to everybody, by the number of the folder and of the file', async () => {
    const { address, file } = await makePage({ public: true }, { pageContent: '<h1>live</h1>' })
    for (const each of [address, file.url]) {
      const { status, text, headers } = await noKey(each)
      assert.deepEqual([status, text], [200, '<h1>live</h1>'])
      assert.equal(headers['cache-control'], 'public, no-cache')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.match(String(headers.vary), /Authorization/)
      assert.match(String(headers['content-security-policy']), /sandbox/)
    }
    const { headers } = await noKey(address)
    const again = await noKey(address, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.text], [304, ''])
    assert.equal(again.headers['cache-control'], 'public, no-cache')
  })

  test('makes the folders below public, until a folder switches it off', async () => {
    const { folder } = await makePage({ public: true })
    const inherited = await makePage({ parent_category_id: folder })
    const ended = await makePage({ parent_category_id: folder, public: false })
    const below = await makePage({ parent_category_id: ended.folder })
    const again = await makePage({ parent_category_id: ended.folder, public: true })
    const statuses = []
    for (const { address } of [inherited, ended, below, again])
      statuses.push((await noKey(address)).status)
    assert.deepEqual(statuses, [200, 401, 401, 200])
    const { body } = await server.call('GET', `/api/v2/asset_category/${inherited.folder}`)
    assert.deepEqual([body.public, body.is_public, body.public_since], [null, true, null])
  })

  test('answers a draft like a missing file, and shows no staged or numbered version', async () => {
    const { folder, address, file } = await makePage({ public: true }, { pageContent: 'live' })
    await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
      json: { pageContent: 'draft', name: 'draft.html' },
    })
    assert.equal((await noKey(address)).text, 'live')
    const draft = await makeFile(server, { parent_category_id: folder })
    const said = async (name: string): Promise<object> => {
      const { status, body } = await noKey(`/file/${folder}/${name}`)
      return { status, ...body, request_id: undefined }
    }
    const nothing = await said('nothing.html')
    assert.deepEqual(await said(draft.name), nothing)
    assert.deepEqual(await said('draft.html'), nothing)
    for (const query of ['?state=stage', '?version=1', '?version=2'])
      assert.equal((await noKey(address + query)).status, 401, query)
  })

  test('shows a new live version at once, and nothing after an unpublish', async () => {
    const { address, file } = await makePage({ public: true }, { pageContent: 'one' })
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    assert.equal((await noKey(address)).text, 'one')
    await server.call('POST', path, { json: { pageContent: 'two' } })
    assert.equal((await noKey(address)).text, 'one')
    await server.call('POST', `${path}/publish`)
    assert.equal((await noKey(address)).text, 'two')
    await server.call('POST', `${path}/unpublish`)
    assert.equal((await noKey(address)).status, 404)
  })

  test('is no longer public from the moment it is switched off', async () => {
    const { address, folder } = await makePage({ public: true })
    assert.equal((await noKey(address)).status, 200)
    const path = `/api/v2/asset_category/${folder}`
    const { body } = await server.call('POST', path, { json: { public: null } })
    assert.deepEqual([body.public, body.is_public, body.public_since], [null, false, null])
    assert.equal((await noKey(address)).status, 401)
  })

  test('redirects the former address of a live file', async () => {
    const { address, file } = await makePage({ public: true })
    await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
      json: { name: 'renamed.html', fileState: 'publish' },
    })
    const { status, headers } = await noKey(address)
    assert.equal(status, 308)
    assert.equal((await noKey(String(headers.location))).status, 200)
  })

  test('does not narrow what a key sees; a wrong key is refused', async () => {
    const { address } = await makePage({ public: true })
    const { status, headers } = await server.call('GET', `${address}?state=stage`)
    assert.equal(status, 200)
    assert.match(String(headers['cache-control']), /private/)
    assert.equal(headers['access-control-allow-origin'], undefined)
    assert.equal((await server.call('GET', address, { key: 'wrong' })).status, 401)
  })
})

describe('without anything public', () => {
  test('a request without a key gets the same answer for existing and missing files', async () => {
    const { address, file } = await makePage({})
    const answers = []
    for (const each of [address, file.url, '/file/1/none', '/file/999999/none', '/file/x/none']) {
      const { status, headers, body } = await noKey(each)
      const { date: _, 'x-request-id': __, ...rest } = headers
      answers.push({ status, rest, body: { ...body, request_id: undefined } })
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal(answers[0]?.status, 401)
  })
})

describe('making a folder public', () => {
  test('needs the grant publish, in the folder and at its creation in the parent', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const key = await server.makeKey({ name: 'no publish', grants: 'view,create,modify' })
    const change = (json: object): Promise<Answer> =>
      server.call('POST', `/api/v2/asset_category/${id}`, { key, json })
    assert.equal((await change({ public: true })).body.grant, 'publish')
    assert.equal((await change({ title: 'allowed' })).status, 200)
    const made = (isPublic: boolean | null): Promise<Answer> =>
      server.call('POST', '/api/v2/asset_category', {
        key,
        json: { name: `made ${isPublic}`, public: isPublic },
      })
    assert.deepEqual([(await made(true)).status, (await made(null)).status], [403, 201])
  })

  test('needs the grant publish in all folders below, too', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const { asset_category_id: below } = await makeFolder(server, { parent_category_id: id })
    const { user_id } = await make(server, 'user', {
      name: 'editor of the upper folder',
      role: 'editor',
      category_roles: [{ asset_category_id: below, role: 'viewer' }],
    })
    const { secret: key } = await make(server, 'api_key', { name: 'editor', user_id })
    const change = (isPublic: boolean): Promise<Answer> =>
      server.call('POST', `/api/v2/asset_category/${id}`, { key, json: { public: isPublic } })
    assert.equal((await change(true)).body.grant, 'publish')
    assert.equal((await change(false)).status, 200)
  })

  test('is recorded with its time, and repeating it does not change the time', async () => {
    const { asset_category_id: id, public_since: since } = await makeFolder(server, {
      public: true,
    })
    assert.match(since, /^\d{4}-/)
    const path = `/api/v2/asset_category/${id}`
    const { body } = await server.call('POST', path, { json: { public: true, title: 'x' } })
    assert.equal(body.public_since, since)
    const { body: found } = await server.call('GET', '/api/v2/asset_category?qry={"public":true}')
    assert.ok(found.asset_category.some((each: any) => each.asset_category_id === id))
  })
})
