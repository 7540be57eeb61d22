// Shown at unknown addresses.

import { pageOf, pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'

export function UnknownPage() {
  const { t } = useTexts()
  const path = pageOf(location.pathname)
  return (
    <Page title={t.unknown.title} intro={fill(t.unknown.text, { path })}>
      <div>
        <ButtonLink kind="primary" href={pathOf('/')}>
          {t.unknown.back}
        </ButtonLink>
      </div>
    </Page>
  )
}
