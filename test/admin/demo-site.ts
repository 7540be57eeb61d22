// A realistic site that also contains data of an attacker.

import { make, makeFile, makeFolder, uploadFile } from '../helpers/content.ts'
import type { Call, TestServer } from '../helpers/server.ts'
import { setPassword } from './area.ts'

/**
 * Runs as a script if a page interprets the text as markup. The server rejects names with
 * characters that reverse the direction of text.
 */
export const HOSTILE = '<img src=x onerror="document.title=1">"\'.html'

export const LONG = 'w'.repeat(250)

export async function fillSite(server: TestServer): Promise<void> {
  const key = await makePerson(server, { name: 'ada', role: 'editor' })
  await makePerson(server, { name: 'ben', role: 'stager' })
  const signed = {
    ...server,
    call: (method: string, path: string, call: Call = {}) =>
      server.call(method, path, { key, ...call }),
  }

  const news = await makeFolder(server, { name: 'archive', parent_category_id: 1 })
  const inNews = { parent_category_id: news.asset_category_id }
  for (const name of ['summer.html', 'autumn.html', 'opening-hours.html'])
    await makeFile(signed, { ...inNews, name, fileState: 'publish' })
  await makeFile(signed, { ...inNews, name: HOSTILE, fileState: 'stage' })
  await makeFile(signed, { ...inNews, name: `${LONG}.html` })
  await uploadFile(server, 'a,b\n1,2\n', { fileName: 'prices.csv' })

  const hello = await makeFile(signed, { name: 'hello.html' })
  const path = `/api/v2/asset_file/${hello.asset_file_id}`
  for (const pageContent of ['<p>2</p>', '<p>3</p>'])
    await signed.call('POST', path, { json: { pageContent } })
  await makeCities(server)
  const gone = await makeFile(signed, { name: 'draft.html' })
  await signed.call('DELETE', `/api/v2/asset_file/${gone.asset_file_id}`)
  await signed.call('POST', `${path}/publish`)
}

/** Returns the secret of a key with all permissions of the person. */
async function makePerson(
  server: TestServer,
  fields: { readonly name: string; readonly role: string },
): Promise<string> {
  const { user_id: userId } = await make(server, 'user', fields)
  await setPassword(server, fields.name)
  const key = await make(server, 'api_key', { name: `laptop of ${fields.name}`, user_id: userId })
  return key.secret
}

async function makeCities(server: TestServer): Promise<void> {
  const { module_url: url } = await make(server, 'datatable', {
    name: 'Cities',
    parent_category_id: 1,
    table_schema: 'name C(80) NOTNULL, country C(2) NULL',
  })
  const json = [
    { name: 'Reykjavík', country: 'IS' },
    { name: 'Tromsø', country: 'NO' },
  ]
  await server.call('POST', url, { json })
}
