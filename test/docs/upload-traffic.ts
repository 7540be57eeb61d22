// Requests that use every documented endpoint of uploads.

import { type Answer, buildForm, type Call } from '../helpers/server.ts'
import { BYTES, metadataOf, TUS, UPLOADS } from '../helpers/tus.ts'
import type { Expect } from './bulk-traffic.ts'

export async function sendUpload(expect: Expect): Promise<void> {
  const upload = (name: string, value: string): Call => {
    const file = { name: 'Filedata', fileName: 'a.bin', bytes: Buffer.from([0, 1]) }
    const { contentType, body } = buildForm([{ name, value }, file])
    return { body, headers: { 'content-type': contentType } }
  }
  const created = await expect(201, 'POST', '/upload', upload('asset_category_id', '1'))
  await expect(200, 'POST', '/upload', upload('asset_file_id', String(created.asset_file_id)))
  await expect(409, 'POST', '/upload', upload('asset_category_id', '1'))
  await expect(200, 'GET', `/api/v2/asset_file/${created.asset_file_id}`)
}

export async function sendResumable(
  send: (method: string, path: string, call?: Call) => Promise<Answer>,
  expect: Expect,
): Promise<void> {
  const named = metadataOf({ asset_category_id: 1, filename: 'parts.bin' })
  const call = { headers: { ...TUS, 'upload-length': '3', 'upload-metadata': named } }
  const { headers } = await send('POST', UPLOADS, call)
  const path = String(headers.location)
  const bytes = (offset: number, body: string): Call => ({
    headers: { ...BYTES, 'upload-offset': String(offset) },
    body,
  })
  await expect(409, 'PATCH', path, bytes(1, 'bc'))
  await expect(204, 'PATCH', path, bytes(0, 'a'))
  await expect(200, 'GET', path)
  await expect(204, 'PATCH', path, bytes(1, 'bc'))
  await expect(200, 'GET', path)
  await expect(204, 'DELETE', path, { headers: TUS })
  await expect(404, 'GET', path)
  await expect(412, 'POST', UPLOADS)
}
