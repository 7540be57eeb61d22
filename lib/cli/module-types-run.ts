// Runs the command types.

import { ClientError } from '../client/client-error.ts'
import { openApi } from '../client/api.ts'
import { openTypes } from '../docs/typescript-types.ts'
import type { ModuleColumns } from '../operations/people/commands.ts'
import { buildEntryType } from '../schema/entry.ts'
import { askDirectory } from './directory.ts'

export interface TypesFlags {
  readonly data: string
  readonly url?: string
  readonly key?: string
}

export async function runTypes({ data, url, key }: TypesFlags): Promise<void> {
  process.stdout.write(url === undefined ? await typesOf(data) : await readTypes(url, key))
}

/** The same text that a server of this site gives to a key that may do everything. */
async function typesOf(data: string): Promise<string> {
  const modules = (await askDirectory(data, { command: 'module.list' })) as readonly ModuleColumns[]
  const { head, write } = openTypes({ isWritable: true })
  const texts = modules.map(({ kind, id, record, layout }) =>
    write({ kind, id, record, entry: buildEntryType(kind, id, layout) }),
  )
  return [head, ...texts].map((text) => `${text}\n`).join('')
}

/** The address of the types, below the address of the server. */
const PATH = '/public/api/module/types.ts'

async function readTypes(url: string, key: string | undefined): Promise<string> {
  const api = openApi({ url, key, concurrency: 1, signal: new AbortController().signal })
  try {
    const { body, headers } = await api.send({ method: 'GET', path: PATH })
    const text = await body.text()
    if (String(headers['content-type']).startsWith('text/plain')) return text
    const detail = `${url} does not respond like a content server: check the address.`
    throw new ClientError('not-a-content-server', detail)
  } finally {
    await api.close()
  }
}
