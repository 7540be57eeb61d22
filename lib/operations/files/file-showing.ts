// What is shown of a file: its path, and its text.

import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../showing.ts'
import { readPage, readPages } from './page-text.ts'

export const fileShowing: Showing<AssetFile> = {
  object: assetFile,
  seen: seenInFolder(assetFile),
  derive:
    (_, sight) =>
    ({ parent_category_id: folderId, name }) => ({
      path: `${sight.pathOf(folderId)}/${name}`,
    }),
  pathBytes:
    (sight) =>
    ({ parent_category_id: folderId, name }) => {
      const ownBytes = Buffer.byteLength(JSON.stringify(name))
      return sight.pathBytesOf(folderId) + ownBytes + PATH_MEMBER_BYTES
    },
  addressField: 'url',
  attached: { field: 'pageContent', read: readPage, readAll: readPages },
}
