// Pages in place of one that does not exist or that the user may not open.

import { pageOf, pathOf } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { WHY_DENIED } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

interface UnknownPageProps {
  /** The pages that the user may open. */
  readonly pages?: readonly { readonly path: string; readonly title: string }[]
}

/** Shown at unknown addresses. */
export function UnknownPage({ pages = [] }: UnknownPageProps) {
  const { t } = useTexts()
  const path = pageOf(location.pathname)
  return (
    <Page title={t.unknown.title} intro={fill(t.unknown.text, { path })}>
      <div>
        <ButtonLink kind="primary" href={pathOf('/')}>
          {t.unknown.back}
        </ButtonLink>
      </div>
      {pages.length > 0 && (
        <Section title={t.frame.navigation}>
          <ul>
            {pages.map(({ path: page, title }) => (
              <li key={page}>
                <Link href={pathOf(page)}>{title}</Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  )
}

/** Shown in place of a page that the user lacks a grant for. */
export function ForbiddenPage() {
  const { t } = useTexts()
  const name = useMe()?.user.name ?? ''
  return (
    <Page title={t.forbidden.title} intro={fill(t.forbidden.text, { name })}>
      <div class="form-actions">
        <ButtonLink kind="primary" href={pathOf('/')}>
          {t.forbidden.back}
        </ButtonLink>
        <ButtonLink href={pathOf(WHY_DENIED)}>{t.forbidden.why}</ButtonLink>
      </div>
    </Page>
  )
}
