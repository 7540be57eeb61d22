// Chooses the version of a file to export, with the name and fields of that version, which a draft does not
// change.

import type { Api } from './api.ts'
import { type ListedFile, readVersion } from './records.ts'
import type { SideFile } from './side-file.ts'

export type ExportState = 'live' | 'stage' | 'latest'

export interface ExportedVersion extends SideFile {
  readonly name: string
  /** Address of the content; throws for a name that cannot be encoded. */
  readonly path: () => string
  /** Whether the file has another version that is live, staged or newer and is not exported. */
  readonly hasOthers: boolean
}

/** Undefined if the file has no version in this state. */
export async function findVersion(
  api: Api,
  state: ExportState,
  record: ListedFile,
): Promise<ExportedVersion | undefined> {
  const { asset_file_id: id, version: latest, live_version: live, staged_version: staged } = record
  const version = { live, stage: staged, latest }[state]
  if (version === undefined) return undefined

  const fields = version === latest ? record : await readVersion(api, id, version)
  const { name, type, title, description } = fields
  const shownName = state === 'live' ? record.addressName : name
  const path = (): string =>
    // The name of a draft may differ from the name in the address.
    state === 'latest'
      ? `/api/v2/asset_file/${id}/versions/${latest}/content`
      : `/file/${id}/${encodeURIComponent(shownName)}${state === 'stage' ? '?state=stage' : ''}`
  return {
    name: shownName,
    type,
    title,
    description,
    state: version === live ? 'live' : version === staged ? 'staged' : 'draft',
    path,
    hasOthers: [live, staged, latest].some((other) => other !== undefined && other !== version),
  }
}
