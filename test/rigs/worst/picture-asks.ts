// Worst-case requests for pictures in other sizes: by key, by a signed link and without a key. Another process runs libvips.
// The event loop moves the bytes of the original and of the form, and hashes the form.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { buildForm, type Call } from '../../helpers/server.ts'
import { type Asks, MIB, once, PAGE_BYTES } from './ask.ts'
import { byVisitor, folderOf } from './site-asks.ts'
import type { Site } from './site.ts'

const FORM_BYTES = 16 * MIB

interface Picture {
  readonly id: number
  /** The address by number. */
  readonly url: string
  readonly name: string
}

/** A picture of noise, which no format makes smaller. */
const noise = (side: number): Promise<Buffer> =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

function upload(site: Site, folder: number, bytes: Buffer): Call & { readonly name: string } {
  const name = `${site.name()}.png`
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: String(folder) },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: name, bytes },
  ])
  return { name, body, headers: { 'content-type': contentType } }
}

/** The largest picture whose form is not refused as too large. It lies on the site, and so is public. */
const picture = once(async (site: Site): Promise<Picture> => {
  const { name, ...call } = upload(site, await folderOf(site), await noise(site.size.pictureSide))
  const { status, body, text } = await site.call('POST', '/upload', call)
  assert.equal(status, 201, text)
  return { id: body.asset_file_id, url: body.url, name }
})

let width = 2_600
/** A form that was never asked for. The picture is smaller, and is never enlarged. */
const newForm = (): string => `width=${(width += 1)}&format=png`

const byNobody = (): Call => ({ key: null })

export const PICTURE_ASKS: Asks = {
  'POST /upload': [
    {
      what: 'a large picture',
      prepare: async ({ size }) => noise(size.pictureSide),
      path: () => '/upload',
      call: (site, bytes) => upload(site, 1, bytes),
      maxBytes: PAGE_BYTES,
    },
  ],
  'GET /file/:number/:name': [
    {
      what: 'a large picture in another format',
      prepare: picture,
      path: (_, { url }) => `${url}?${newForm()}`,
      maxBytes: FORM_BYTES,
    },
    {
      what: 'a large form that is kept',
      prepare: async (site) => {
        const { url } = await picture(site)
        await site.call('GET', `${url}?width=2600&format=png`)
        return url
      },
      path: (_, url) => `${url}?width=2600&format=png`,
      maxBytes: FORM_BYTES,
    },
    {
      what: 'a large picture without a key',
      prepare: picture,
      path: (_, { url }) => `${url}?width=2560&format=jpeg`,
      call: byNobody,
      maxBytes: FORM_BYTES,
    },
    {
      what: 'a size that nobody may ask for without a key',
      prepare: picture,
      path: (_, { url }) => `${url}?${newForm()}`,
      call: byNobody,
      status: 400,
    },
    {
      what: 'the longest parameters of a picture',
      prepare: picture,
      path: (_, { url }) => `${url}?focus=${'0'.repeat(15_000)}&width=${'9'.repeat(15_000)}`,
      status: [400, 414],
    },
  ],
  'GET /link/:token/:name': [
    {
      what: 'a large picture in another format',
      prepare: async (site) => {
        const json = { version: 1 }
        const { id } = await picture(site)
        const made = await site.call('POST', `/api/v2/asset_file/${id}/link`, { json })
        return made.body.url
      },
      path: (_, url) => `${url}?width=2560&format=png`,
      call: byNobody,
      maxBytes: FORM_BYTES,
    },
  ],
  'GET a page of the site': [
    {
      what: 'a large picture in another format',
      prepare: picture,
      path: (_, { name }) => `/${name}?width=2560&format=webp`,
      call: () => ({ ...byVisitor(), key: null }),
      maxBytes: FORM_BYTES,
    },
  ],
}
