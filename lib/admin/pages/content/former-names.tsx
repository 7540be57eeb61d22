// The former names in a folder that redirect: the list in the website settings, and how to end a redirect.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { paths } from '../../client/interface.d.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useDangerousAction } from '../../ui/confirm.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'

interface FormerNamesProps {
  readonly folderId: number
  /** Called after a redirect has ended, which changes the ETag of the folder. */
  readonly onEnded: () => void
}

const LENGTH = 30

export function FormerNames({ folderId: id, onEnded }: FormerNamesProps) {
  const { t } = useTexts()
  const api = useApi()
  const [length, setLength] = useState(LENGTH)
  const loaded = useRequest(
    (signal) => {
      const params = { path: { id }, query: { length } }
      return dataOf(api.GET('/asset_category/{id}/former_name', { signal, params }))
    },
    [id, length],
  )
  const end = useEnd(id, () => {
    loaded.reload()
    onEnded()
  })
  if (loaded.data === undefined) return <Loading {...loaded} lines={2} />
  const { former_name: names, page } = loaded.data
  if (names.length === 0) return null
  return (
    <section class="former-names" aria-labelledby="former-names">
      <h3 id="former-names">{t.publicAccess.former}</h3>
      <p class="quiet">{t.publicAccess.formerAbout}</p>
      <ul>
        {names.map((item) => (
          <li key={`${item.object}/${item.name}`}>
            <span>
              <bdi>{item.name}</bdi> → <bdi>{item.path}</bdi>
            </span>
            <Button
              kind="quiet"
              icon="trash"
              label={fill(t.publicAccess.formerEnd, { name: item.name })}
              onPress={() => void end(item)}
            />
          </li>
        ))}
      </ul>
      {page.next !== null && (
        <Button onPress={() => setLength(length + LENGTH)} isBusy={loaded.isLoading}>
          {t.publicAccess.formerMore}
        </Button>
      )}
    </section>
  )
}

type FormerName =
  paths['/asset_category/{id}/former_name']['get']['responses']['200']['content']['application/json']['former_name'][number]

function useEnd(id: number, onEnded: () => void) {
  const { t } = useTexts()
  const api = useApi()
  const act = useDangerousAction()
  const { formerEndTitle: title, formerEndText, formerEndAction: action } = t.publicAccess
  return ({ name }: FormerName): Promise<void> => {
    const params = { path: { id, former_name: name } }
    return act({
      title,
      text: fill(formerEndText, { name }),
      action,
      run: () => dataOf(api.DELETE('/asset_category/{id}/former_name/{former_name}', { params })),
      done: t.publicAccess.formerEnded,
      after: onEnded,
    })
  }
}
