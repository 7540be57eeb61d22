// The filters of the key list. The text is searched after a pause in typing.

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { KeyFilter, KeySearch } from './key-search.ts'

export interface KeyFiltersProps {
  readonly search: KeySearch
  readonly onSearch: (search: KeySearch) => void
  readonly isOfAll: boolean
}

const PAUSE_MS = 200
const STATES: readonly KeyFilter[] = ['active', 'inactive', 'expired']

export function KeyFilters({ search, onSearch, isOfAll }: KeyFiltersProps) {
  const { t } = useTexts()
  const [text, setText] = useState(search.text)
  useEffect(() => setText(search.text), [search.text])
  useEffect(() => {
    if (text === search.text) return undefined
    const timer = setTimeout(() => onSearch({ ...search, text: text.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <div class="filters" role="search">
      <TextInput name="find" type="search" label={t.keys.find} value={text} onChange={setText} />
      {isOfAll && (
        <RecordPicker
          object="user"
          name="of-user"
          label={t.keys.user}
          empty={t.keys.anybody}
          value={search.userId}
          onChange={(userId) => onSearch({ ...search, userId })}
        />
      )}
      <Select
        name="state"
        label={t.keys.state}
        value={search.state}
        onChange={(state) =>
          onSearch({ ...search, state: STATES.find((each) => each === state) ?? '' })
        }
        options={[
          { value: '', text: t.keys.anyState },
          ...STATES.map((state) => ({ value: state, text: t.keys.states[state] })),
        ]}
      />
    </div>
  )
}
