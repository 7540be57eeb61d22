// The open comments that mention the user, each with a link to its file or entry.

import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { type CommentRecord, readMentions } from '../../client/comments.ts'
import { type Me, maySomewhere } from '../../client/me.ts'
import { findNames, type NamedRecord, nameKey } from '../../client/record-names.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { Person } from '../../ui/person.tsx'
import { useRequest } from '../../ui/use-request.ts'

const MOST = 6

export function Mentions({ me }: { readonly me: Me }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const isStaff = (['modify', 'stage', 'publish'] as const).some((one) => maySomewhere(me, one))
  const { data } = useRequest(
    async (signal) => {
      // One more shows whether there are more.
      const comments = isStaff ? await readMentions(api, MOST + 1, signal) : []
      const records = comments.map(({ target }) => recordOf(target))
      return { comments, names: await findNames(api, records, signal) }
    },
    [isStaff],
  )
  if (data === undefined || data.comments.length === 0) return null
  const { comments, names } = data
  const nameOf = ({ target }: CommentRecord): string => {
    const record = recordOf(target)
    const name = names.get(nameKey(record) ?? '') ?? target
    const { object_id: id } = record
    return record.module_id === null
      ? name
      : fill(t.start.mentions.entry, { name, id: formats.number(id) })
  }
  return (
    <Section title={t.start.mentions.title}>
      <ul class="line-list card">
        {comments.slice(0, MOST).map((each) => (
          <li key={each.comment_id}>
            <div class="start-file">
              <Link href={pathTo(each.target)}>
                <bdi>{nameOf(each)}</bdi>
              </Link>
              <span class="quiet" dir="auto">
                <Person name={each.owner} id={each.user_id} />: {each.text}
              </span>
            </div>
            <span class="quiet">
              <DateTime date={each.date_added} isRelative />
            </span>
          </li>
        ))}
      </ul>
      {comments.length > MOST && <p class="quiet">{t.start.mentions.more}</p>}
    </Section>
  )
}

function recordOf(
  target: string,
): Required<NamedRecord> & { readonly object: string; readonly object_id: number } {
  const [object = '', first, second] = target.split('/')
  if (second === undefined) return { object, object_id: Number(first), module_id: null }
  return { object: `${object}_entry`, object_id: Number(second), module_id: Number(first) }
}

function pathTo(target: string): string {
  const { object, object_id: id, module_id: moduleId } = recordOf(target)
  if (object === 'asset_file') return pathOf(`/content/file/${id}?part=comments`)
  return pathOf(
    object === 'calendar_entry' ? `/calendars/${moduleId}?event=${id}` : `/data/${moduleId}/${id}`,
  )
}
