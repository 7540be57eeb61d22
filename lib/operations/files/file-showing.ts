// The shown form of a file: with its path and its text; callers that may only view do not see drafts of a live file.

import { holdsEverywhere } from '../../auth/grants.ts'
import { seesDrafts } from '../../auth/key-role.ts'
import { type AssetFile, assetFile, assetFileVersion, stateOf } from '../../schema/asset-file.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import { PATH_MEMBER_BYTES } from '../present.ts'
import { seenInFolder, type Showing } from '../visibility.ts'
import { addressName } from './addresses.ts'
import { readPage, readPages } from './page-text.ts'

/** The fields that maskDraft changes. */
const MASKED = new Set(['name', 'type', 'title', 'description', 'size', 'sha256', 'mime_type'])

const STATE_MEMBER_BYTES = ',"state":"published"'.length

export const fileShowing: Showing<AssetFile> = {
  object: assetFile,
  seen: seenInFolder(assetFile),
  derive:
    ({ reader }, visible) =>
    (file) => ({
      state: stateOf(file),
      path: `${visible.pathOf(file.parent_category_id)}/${addressName(reader, file)}`,
    }),
  mask: ({ reader, caller }, visible) =>
    holdsEverywhere(caller, 'modify')
      ? undefined
      : (file) =>
          seesDrafts(visible.grantsAt(file.parent_category_id))
            ? undefined
            : maskDraft(reader, file),
  masked: { fields: MASKED, rows: { index: 'state', value: 'changed' } },
  isTaggedByRevision: true,
  pathBytes:
    (visible) =>
    ({ parent_category_id: folderId, name }) => {
      const ownBytes = Buffer.byteLength(JSON.stringify(name))
      return visible.pathBytesOf(folderId) + ownBytes + PATH_MEMBER_BYTES + STATE_MEMBER_BYTES
    },
  addressField: 'url',
  attached: { field: 'pageContent', read: readPage, readAll: readPages },
}

/** The fields of the live version; undefined if the latest version is live, or none is. */
function maskDraft(reader: Pick<Reader, 'get'>, file: AssetFile): JsonObject | undefined {
  const { asset_file_id: id, live_version: live, version } = file
  if (live === null || live === version) return undefined
  const shown = reader.get(assetFileVersion, id, live)?.value
  if (shown === undefined) return undefined
  const { type, title, description, size, sha256, mime_type } = shown
  return { name: addressName(reader, file), type, title, description, size, sha256, mime_type }
}
