// The start page: what the user can continue with, what needs attention, and what others did today. New users see
// first steps.

import { pathOf } from '../../client/address.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import type { Me } from '../../client/me.ts'
import { type Opened, recentlyOpened } from '../../client/recent.ts'
import { findNames, nameKey } from '../../client/record-names.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { ChangeList } from '../audit/change-list.tsx'
import { findChanges } from '../audit/joined-changes.ts'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Mentions } from './mentions.tsx'
import { OpenWork } from './open-work.tsx'
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

const MOST_CHANGES = 8

/** Lists the changes of other users since midnight, newest first. */
function ChangedToday({ me }: { readonly me: Me }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { name, former_names: former } = me.user
  const { data } = useRequest(
    (signal) =>
      findChanges(
        api,
        { since: midnight(), without: [name, ...(former ?? [])], most: MOST_CHANGES },
        signal,
      ),
    [name],
  )
  if (data === undefined || data.count === 0) return null
  const { lines, count } = data
  return (
    <Section title={t.start.changedToday}>
      <ChangeList {...data} />
      {count > lines.length && (
        <p class="quiet">{formats.count(t.start.moreChanges, count - lines.length)}</p>
      )}
    </Section>
  )
}

function midnight(): string {
  const date = new Date()
  date.setHours(0, 0, 0, 0)
  return date.toISOString()
}

const MOST_OPENED = 8

const KINDS: Readonly<
  Record<Opened['object'], { readonly page: string; readonly icon: IconName }>
> = {
  asset_file: { page: '/content/file/', icon: 'file' },
  asset_category: { page: '/content/', icon: 'folder' },
  datatable: { page: '/data/', icon: 'table' },
  calendar: { page: '/calendars/', icon: 'calendar' },
}

/** The records that the user opened last in this browser, with their current names. */
function RecentlyOpened({ userId }: { readonly userId: number }) {
  const { t } = useTexts()
  const api = useApi()
  const { data } = useRequest(
    async (signal) => {
      const opened = recentlyOpened(userId)
      const names = await findNames(api, opened, signal)
      return opened.flatMap((each) => {
        const name = names.get(nameKey(each) ?? '')
        return name === undefined ? [] : [{ ...each, name }]
      })
    },
    [userId],
  )
  if (data === undefined || data.length === 0) return null
  return (
    <Section title={t.start.recent}>
      <ul class="start-recent">
        {data.slice(0, MOST_OPENED).map(({ object, object_id: id, name }) => (
          <li key={`${object} ${id}`}>
            <Icon name={KINDS[object].icon} />
            <Link href={pathOf(`${KINDS[object].page}${id}`)}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
