// The files that a cell refers to: a thumbnail of the live version of each, and the names.

import { type PicturedFile, Thumbnail } from '../content/thumbnail.tsx'

interface CellFilesProps {
  readonly files: readonly PicturedFile[]
  readonly titles: readonly string[]
}

/** Thumbnails in one cell. */
const MOST = 4

export function CellFiles({ files, titles }: CellFilesProps) {
  return (
    <span class="cell-files">
      {files.slice(0, MOST).map((file) => (
        <Thumbnail key={file.asset_file_id} file={file} mayRead={false} />
      ))}
      <bdi title={titles.join('\n')}>{titles.join(', ')}</bdi>
    </span>
  )
}
