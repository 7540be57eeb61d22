// Marks a folder or module that everybody can read without signing in.
//
//   <PublicMark isPublic={folder.is_public} />

import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'

interface PublicMarkProps {
  readonly isPublic: boolean
}

export function PublicMark({ isPublic }: PublicMarkProps) {
  const { t } = useTexts()
  if (!isPublic) return null
  return (
    <span class="public-mark" role="img" aria-label={t.general.public} title={t.general.public}>
      <Icon name="globe" />
    </span>
  )
}
