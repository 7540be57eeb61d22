// What is shown of a file: its path, and its text.

import { assetFile } from '../../schema/asset-file.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../showing.ts'
import { readPage, readPages } from './page-text.ts'

export const fileShowing: Showing = {
  object: assetFile,
  seen: seenInFolder(assetFile),
  derive: (_, sight) => (record) => ({
    path: `${sight.pathOf(Number(record['parent_category_id']))}/${String(record['name'])}`,
  }),
  pathBytes: (sight) => (record) => {
    const ownBytes = Buffer.byteLength(JSON.stringify(record['name']))
    return sight.pathBytesOf(Number(record['parent_category_id'])) + ownBytes + PATH_MEMBER_BYTES
  },
  addressField: 'url',
  attached: { field: 'pageContent', read: readPage, readAll: readPages },
}
