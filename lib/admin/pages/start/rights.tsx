// The user's permissions on the whole site, and in folders where they differ.

import { useMe } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { ROOT_FOLDER } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/page.tsx'

export function Rights() {
  const { t } = useTexts()
  const folders = useMe()?.asset_category ?? []
  return (
    <Section title={t.start.rights}>
      {folders.length === 0 && <p class="quiet">{t.start.rightsNone}</p>}
      <Facts
        look="rights"
        facts={folders.map(({ asset_category_id: id, path, grants }) => [
          id === ROOT_FOLDER ? t.start.everywhere : fill(t.start.inFolder, { path }),
          <Grants grants={grants} />,
        ])}
      />
    </Section>
  )
}

function Grants({ grants }: { readonly grants: readonly Grant[] }) {
  const { t } = useTexts()
  return (
    <ul class="rights-list">
      {grants.map((grant) => (
        <li key={grant}>{t.start.grants[grant]}</li>
      ))}
    </ul>
  )
}
