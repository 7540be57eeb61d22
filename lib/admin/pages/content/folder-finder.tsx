// A search field for folders, with its results below; while the field is empty, the folder tree.

import { useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { nameHolds } from '../../client/search.ts'
import { searchFolders } from './records.ts'
import { SearchField } from './search-field.tsx'
import { TreeView, type TreeViewProps } from './tree-view.tsx'

export function FolderFinder(props: TreeViewProps) {
  const { t } = useTexts()
  const [text, setText] = useState('')
  return (
    <div class="folder-finder">
      <SearchField label={t.content.filterFolders} value={text} onChange={setText} />
      {text.trim() === '' ? <TreeView {...props} /> : <Found {...props} text={text} />}
    </div>
  )
}

const MOST_FOUND = 50

function Found({ text, chosenId, onChoose }: TreeViewProps & { readonly text: string }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const wanted = useSettled(text)
  const found = useRequest(
    (signal) => {
      const qry = { name: nameHolds(wanted) }
      return searchFolders(api, { qry, orderStr: 'name', length: MOST_FOUND }, signal)
    },
    [wanted],
  )
  if (found.data === undefined) {
    if (found.error !== undefined)
      return <ProblemNotice error={found.error} onRetry={found.reload} />
    return <Skeleton lines={3} />
  }
  const { rows, next } = found.data
  if (rows.length === 0) return <p class="quiet folder-none">{t.content.noFolderFound}</p>
  return (
    <ul class="folder-found">
      {rows.map((folder) => (
        <li key={folder.asset_category_id}>
          <button
            type="button"
            class="folder-found-item"
            aria-current={folder.asset_category_id === chosenId}
            onClick={() => onChoose(folder)}
          >
            <Icon name="folder" />
            <span class="cut">
              <bdi>{folder.name}</bdi>
            </span>
            <span class="cut quiet" title={folder.path}>
              <bdi>{folder.path}</bdi>
            </span>
          </button>
        </li>
      ))}
      {next !== null && (
        <li class="quiet folder-none">{formats.count(t.content.firstFound, MOST_FOUND)}</li>
      )}
    </ul>
  )
}
