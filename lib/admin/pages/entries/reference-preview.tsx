// The thumbnail of a referenced file, or an icon for its type.

import { useMe } from '../../client/client-context.ts'
import { maySomewhere } from '../../client/me.ts'
import { Icon } from '../../ui/icon.tsx'
import { type PicturedFile, Thumbnail } from '../content/thumbnail.tsx'
import type { Referenced } from './reference-target.ts'

interface ReferencePreviewProps {
  /** Undefined until the record is known, and if it is not visible. */
  readonly record: Referenced | undefined
}

export function ReferencePreview({ record }: ReferencePreviewProps) {
  if (record?.file !== undefined) return <FilePreview file={record.file} />
  return (
    <div class="thumbnail">
      <Icon name="file" />
    </div>
  )
}

/** Everybody who sees the file may read its live version; a file without one may be read by its editors. */
export function FilePreview({ file }: { readonly file: PicturedFile }) {
  const me = useMe()
  const mayRead = file.live_version === null && me !== undefined && maySomewhere(me, 'modify')
  return <Thumbnail file={file} mayRead={mayRead} />
}
