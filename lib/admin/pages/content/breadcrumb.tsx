// Links to the parent folders.

import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { PublicMark } from './public-mark.tsx'
import type { FolderRecord } from './records.ts'

export interface BreadcrumbProps {
  readonly line: readonly FolderRecord[]
  /** Name of the displayed item inside the last folder; without it, the last folder itself is displayed. */
  readonly leaf?: string
}

export function Breadcrumb({ line, leaf }: BreadcrumbProps) {
  const { t } = useTexts()
  const links = leaf === undefined ? line.slice(0, -1) : line
  const last = leaf ?? line.at(-1)?.name
  return (
    <nav class="breadcrumb" aria-label={t.general.path}>
      <ol>
        {links.map(({ asset_category_id: id, name, is_public: isPublic }) => (
          <li key={id}>
            <Link href={pathOf(`/content/${id}`)}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <PublicMark isPublic={isPublic} />
          </li>
        ))}
        <li aria-current="page">
          <bdi>{last}</bdi>
        </li>
      </ol>
    </nav>
  )
}
