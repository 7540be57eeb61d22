// The start page: what the user can continue with, what needs attention, and what others did today. New users see
// first steps.

import { pathOf } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { ChangedToday } from './changed-today.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Mentions } from './mentions.tsx'
import { OpenWork } from './open-work.tsx'
import { RecentlyOpened } from './recently-opened.tsx'
import { Rights } from './rights.tsx'

export function StartPage() {
  const { t } = useTexts()
  const me = useMe()
  if (me === undefined) return null
  return (
    <Page title={fill(t.start.greeting, { name: me.user.display_name ?? me.user.name })} isWide>
      <div class="start">
        <div class="start-lists">
          <Attention me={me} />
          <Mentions me={me} />
          <FirstSteps />
          <OpenWork me={me} />
          <ChangedToday me={me} />
        </div>
        <div class="start-lists">
          <RecentlyOpened userId={me.user.user_id} />
          <Rights />
          <Learn />
        </div>
      </div>
    </Page>
  )
}

function Learn() {
  const { t } = useTexts()
  return (
    <Section title={t.start.learn}>
      <p class="quiet">{t.start.learnText}</p>
      <dl class="start-learn">
        <dt>
          <Link href={pathOf('/documents/system')}>{t.frame.systemApi}</Link>
        </dt>
        <dd>{t.start.systemText}</dd>
        <dt>
          <Link href={pathOf('/documents/module')}>{t.frame.moduleApi}</Link>
        </dt>
        <dd>{t.start.moduleText}</dd>
      </dl>
    </Section>
  )
}
