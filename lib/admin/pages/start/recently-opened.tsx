// The records that the user opened last in this browser, with their current names.

import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { findNames, nameKey } from '../../client/record-names.ts'
import { type Opened, recentlyOpened } from '../../client/recent.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'

const MOST = 8

const KINDS: Readonly<
  Record<Opened['object'], { readonly page: string; readonly icon: IconName }>
> = {
  asset_file: { page: '/content/file/', icon: 'file' },
  asset_category: { page: '/content/', icon: 'folder' },
  datatable: { page: '/data/', icon: 'table' },
  calendar: { page: '/calendars/', icon: 'calendar' },
}

export function RecentlyOpened({ userId }: { readonly userId: number }) {
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
        {data.slice(0, MOST).map(({ object, object_id: id, name }) => (
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
