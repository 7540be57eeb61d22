// Downloads of pictures in other sizes and formats, by key.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { newName, uploadFile } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { animation, BLUE, halves, RED } from '../../helpers/pictures.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
const dataDir = newDataDirectory()
before(async () => {
  const picturePresets = new Map([['thumb', { width: 20, height: 20 }]])
  // Without a trash, a deletion removes the bytes.
  server = await startTestServer({ dataDir, config: { picturePresets, trashDays: 0 } })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const live = { fileState: 'publish' }

/** A live picture of 60 × 40 pixels. */
async function makePicture(fields: Readonly<Record<string, string>> = {}): Promise<any> {
  const bytes = await halves(60, 40).png().toBuffer()
  return uploadFile(server, bytes, { fileName: newName('png'), ...live, ...fields })
}

interface Ask {
  readonly accept?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly key?: string | null
}

function ask({ url }: any, query: string, { method = 'GET', ...rest }: Ask = {}): Promise<Answer> {
  const { accept = '*/*', headers = {}, ...call } = rest
  return server.call(method, `${url}?${query}`, { headers: { accept, ...headers }, ...call })
}

async function sizeOf({ bytes }: Answer): Promise<readonly unknown[]> {
  const { width, height, pageHeight, format } = await sharp(bytes, { animated: true }).metadata()
  return [width, pageHeight ?? height, format]
}

/** The color in the middle of a picture. */
async function middleOf({ bytes }: Answer): Promise<readonly number[]> {
  const { width, height } = await sharp(bytes).metadata()
  const part = { left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 }
  return [...(await sharp(bytes).extract(part).removeAlpha().raw().toBuffer())]
}

const isNear = (found: readonly number[], color: string): boolean =>
  [1, 3, 5].every((at, index) => {
    const wanted = Number.parseInt(color.slice(at, at + 2), 16)
    return Math.abs((found[index] ?? 0) - wanted) < 24
  })

describe('a form of a picture', () => {
  test('has the requested size and is never enlarged', async () => {
    const file = await makePicture()
    for (const [query, width, height] of [
      ['width=30', 30, 20],
      ['height=10', 15, 10],
      ['width=3000', 60, 40],
      ['width=20&height=20', 20, 20],
      ['width=600&height=300', 60, 30],
      ['width=30&height=30&fit=inside', 30, 20],
      ['width=30&height=30&fit=contain', 30, 30],
      ['width=100&height=100&fit=contain', 100, 100],
      ['format=jpeg', 60, 40],
      ['preset=thumb', 20, 20],
    ] as const) {
      const answer = await ask(file, query)
      assert.equal(answer.status, 200, answer.text.slice(0, 300))
      assert.deepEqual((await sizeOf(answer)).slice(0, 2), [width, height], query)
    }
  })

  test('has the requested format, or the best format that the client accepts', async () => {
    const file = await makePicture()
    const webp = 'image/avif,image/webp,*/*;q=0.8'
    for (const [query, accept, format] of [
      ['width=30', '*/*', 'png'],
      ['width=30', 'image/*', 'png'],
      ['width=30', webp, 'webp'],
      ['width=30', 'image/webp;q=0, */*', 'png'],
      ['width=30&format=auto&quality=50', webp, 'webp'],
      ['width=30&format=jpeg', webp, 'jpeg'],
      ['width=30&format=avif', '*/*', 'heif'],
      ['width=30&format=png', webp, 'png'],
    ] as const) {
      const answer = await ask(file, query, { accept })
      assert.deepEqual(await sizeOf(answer), [30, 20, format], `${query} ${accept}`)
      const type = format === 'heif' ? 'avif' : format
      assert.equal(answer.headers['content-type'], `image/${type}`)
      const isByAccept = !query.includes('format=') || query.includes('auto')
      assert.equal(answer.headers.vary, isByAccept ? 'Authorization, Accept' : 'Authorization')
      const ending = type === 'jpeg' ? 'jpg' : type
      const name = file.name.replace('.png', `.${ending}`)
      assert.equal(answer.headers['content-disposition'], `inline; filename=${name}`)
    }
  })

  test('keeps the focus of the request, of the file, or the center', async () => {
    const file = await makePicture({ focus: '1,0.5' })
    const box = 'width=10&height=20'
    assert.ok(isNear(await middleOf(await ask(file, box)), BLUE))
    assert.ok(isNear(await middleOf(await ask(file, `${box}&focus=0,0`)), RED))
    const other = await makePicture()
    const left = await ask(other, 'width=20&height=20&focus=0.4,0')
    assert.ok(isNear(await middleOf(left), RED))
  })

  test('equals the direct result of sharp', async () => {
    const file = await makePicture()
    const original = await halves(60, 40).png().toBuffer()
    for (const [query, expected] of [
      ['width=31&format=webp', sharp(original).resize(31).webp()],
      ['width=20&height=31&format=png', sharp(original).resize(20, 31).png()],
      ['width=30&format=jpeg&quality=40', sharp(original).resize(30).jpeg({ quality: 40 })],
    ] as const) {
      const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
      const { bytes } = await ask(file, query)
      assert.deepEqual(await pixels(bytes), await pixels(await expected.toBuffer()), query)
    }
  })

  test('is rotated like the photo, in sRGB and without metadata', async () => {
    const place = { IFD3: { GPSLatitude: '51/1 30/1 3230/100' } }
    const photo = halves(60, 40).jpeg().withIccProfile('p3')
    const bytes = await photo.withExifMerge(place).withMetadata({ orientation: 6 }).toBuffer()
    const file = await uploadFile(server, bytes, { fileName: newName('jpg'), ...live })
    const answer = await ask(file, 'width=20')
    assert.deepEqual(await sizeOf(answer), [20, 30, 'jpeg'])
    const { exif, icc, orientation, space } = await sharp(answer.bytes).metadata()
    assert.deepEqual(
      { exif, icc, orientation, space },
      {
        ...{ exif: undefined, icc: undefined },
        ...{ orientation: undefined, space: 'srgb' },
      },
    )
  })

  test('of an animation is animated, or refused', async () => {
    const bytes = await animation(30, 20, 4).gif().toBuffer()
    const file = await uploadFile(server, bytes, { fileName: newName('gif'), ...live })
    for (const [query, accept, format] of [
      ['width=15', '*/*', 'gif'],
      ['width=15', 'image/webp', 'webp'],
      ['width=15&height=10&focus=0,0', 'image/webp', 'webp'],
    ] as const) {
      const answer = await ask(file, query, { accept })
      assert.deepEqual(await sizeOf(answer), [15, 10, format])
      assert.equal((await sharp(answer.bytes, { animated: true }).metadata()).pages, 4)
    }
    const refused = await ask(file, 'width=15&format=jpeg')
    assert.deepEqual([refused.status, refused.body.type], [422, '/problems/picture-refused'])
    assert.match(refused.body.detail, /animated/)
  })
})

describe('a request for a form', () => {
  test('supports conditions, ranges and HEAD like a download', async () => {
    const file = await makePicture()
    const whole = await ask(file, 'width=30')
    const etag = String(whole.headers.etag)
    const original = await server.call('GET', file.url)
    assert.notEqual(etag, original.headers.etag)
    assert.equal(whole.headers['last-modified'], undefined)
    assert.equal(whole.headers['cache-control'], original.headers['cache-control'])
    const same = await ask(file, 'width=30', { headers: { 'if-none-match': etag } })
    assert.deepEqual([same.status, same.bytes.length], [304, 0])
    const part = await ask(file, 'width=30', { headers: { range: 'bytes=2-5' } })
    assert.deepEqual([part.status, part.bytes], [206, whole.bytes.subarray(2, 6)])
    const head = await ask(file, 'width=30', { method: 'HEAD' })
    assert.equal(head.headers['content-length'], String(whole.bytes.length))
    const failed = await ask(file, 'width=30', { headers: { 'if-match': '"x"' } })
    assert.equal(failed.status, 412)
  })

  test('is refused with the reason if its parameters are wrong', async () => {
    const file = await makePicture()
    for (const [query, detail] of [
      ['width=0', /width must be a whole number from 1 to 3,000/],
      ['width=3001', /from 1 to 3,000/],
      ['width=', /from 1 to 3,000/],
      ['height=1.5', /height must be/],
      ['width=10&width=20', /more than once/],
      ['fit=cover&width=5', /only together with width and height/],
      ['fit=fill&width=5&height=5', /cover, contain, inside/],
      ['format=gif', /auto, webp, avif, jpeg, png/],
      ['quality=101', /from 1 to 100/],
      ['quality=50&format=png', /is lossless/],
      ['width=5&focus=0,0', /crops the picture/],
      ['width=5&height=5&focus=2,0', /two numbers from 0 to 1/],
      ['preset=none', /no preset "none"; known are thumb/],
      ['preset=thumb&width=5', /either preset or/],
    ] as const) {
      const answer = await ask(file, query)
      assert.deepEqual([answer.status, answer.body.type], [400, '/problems/bad-request'], query)
      assert.match(answer.body.detail, detail)
    }
  })

  test('is refused for bytes that are not a picture, or not of the declared type', async () => {
    const png = await halves(60, 40).png().toBuffer()
    const broken = Buffer.from(await halves(60, 40).jpeg().toBuffer()).fill(0xff, 200)
    for (const [bytes, detail] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a picture of type/],
      [Buffer.from('%PDF-1.4'), /not a picture of type/],
      [png.subarray(0, png.length - 40), /damaged/],
      [broken, /damaged/],
    ] as const) {
      const file = await uploadFile(server, bytes, { fileName: newName('png'), ...live })
      const answer = await ask(file, 'width=30')
      assert.deepEqual([answer.status, answer.body.type], [422, '/problems/picture-refused'])
      assert.match(answer.body.detail, detail)
    }
  })

  test('needs the grants of the download', async () => {
    const file = await makePicture({ fileState: '' })
    const viewer = await server.makeKey({ name: newName(), grants: 'view' })
    const query = 'width=30'
    assert.equal((await ask(file, query, { key: viewer })).status, 404)
    assert.equal((await ask(file, `version=1&${query}`, { key: viewer })).status, 403)
    assert.equal((await ask(file, `version=1&${query}`)).status, 200)
    assert.equal((await ask(file, `state=stage&${query}`)).status, 404)
    assert.equal((await ask(file, query, { key: null })).status, 401)
    const elsewhere = { ...file, url: `/file/${file.asset_file_id}/other.png` }
    assert.equal((await ask(elsewhere, query)).status, 404)
  })

  test('from many clients at once returns the same bytes to all', async () => {
    const file = await makePicture()
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(file, 'width=33')))
    const [first] = answers
    for (const answer of answers) assert.deepEqual(answer.bytes, first?.bytes)
  })
})

/** The files of the forms of a version. */
function formsOf(uid: string): readonly string[] {
  const folder = join(dataPathsOf(dataDir).pictures, uid.slice(0, 2), uid)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

test('forms are stored, made again if they are damaged, and removed with the file', async () => {
  const known = new Set(allUids())
  const file = await makePicture()
  const whole = await ask(file, 'width=30')
  const uid = allUids().find((each) => !known.has(each)) ?? assert.fail('no form is stored')
  const [path = ''] = formsOf(uid)
  writeFileSync(path, 'damaged')
  assert.deepEqual((await ask(file, 'width=30')).bytes, whole.bytes)
  await ask(file, 'width=31')
  assert.equal(formsOf(uid).length, 2)
  await server.call('DELETE', `/api/v2/asset_file/${file.asset_file_id}`)
  for (let tries = 0; formsOf(uid).length > 0; tries += 1) {
    assert.ok(tries < 200, 'the forms stay')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
})

function allUids(): readonly string[] {
  const { pictures } = dataPathsOf(dataDir)
  if (!existsSync(pictures)) return []
  return readdirSync(pictures).flatMap((shard) => readdirSync(join(pictures, shard)))
}
