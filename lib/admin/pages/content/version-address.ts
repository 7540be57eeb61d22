// URLs of version contents: every version for users who may modify the file, otherwise the live version.

import type { FileRecord } from './records.ts'

export interface VersionOf {
  readonly file: Pick<FileRecord, 'asset_file_id' | 'url'>
  readonly version: number
  readonly mayRead: boolean
}

export function versionAddress({ file, version, mayRead }: VersionOf): string {
  const { asset_file_id: id, url } = file
  return mayRead
    ? `/api/v2/asset_file/${id}/versions/${version}/content`
    : // Without the path of the site, which the client of the area adds: the name is that of the live version.
      `/file/${id}/${url.slice(url.lastIndexOf('/') + 1)}`
}
