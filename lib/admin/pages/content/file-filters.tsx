// The bar above a file list: search, type, status and layout.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { InlineSelect } from '../../ui/select.tsx'
import { FILE_STATES, type FileStateFilter, type FileView, queryOf, viewOf } from './file-view.ts'
import { SavedViews } from './saved-views.tsx'
import { SearchField } from './search-field.tsx'

export type Shape = 'list' | 'tiles'

export interface FileFiltersProps {
  readonly view: FileView
  readonly onView: (view: FileView) => void
  readonly shape: Shape
  readonly onShape: (shape: Shape) => void
}

const TYPES = [
  'html',
  'stml',
  'css',
  'js',
  'json',
  'md',
  'txt',
  'png',
  'jpg',
  'svg',
  'webp',
  'pdf',
  'mp3',
  'mp4',
] as const

export function FileFilters({ view, onView, shape, onShape }: FileFiltersProps) {
  const { t } = useTexts()
  // The filter uses the words of the badges.
  const states = { ...t.state, ...t.content.states }
  return (
    <div class="file-filters" role="search">
      <SearchField
        label={t.content.searchFiles}
        value={view.text}
        onChange={(text) => onView({ ...view, text })}
      />
      <Button
        isPressed={view.isEverywhere}
        onPress={() => onView({ ...view, isEverywhere: !view.isEverywhere })}
      >
        {t.content.everywhere}
      </Button>
      <InlineSelect
        look="select file-choice"
        label={t.content.type}
        value={view.type}
        options={[
          { value: '', text: t.content.allTypes },
          ...TYPES.map((type) => ({ value: type, text: type })),
        ]}
        onChange={(type) => onView({ ...view, type })}
      />
      <InlineSelect
        look="select file-choice"
        label={t.content.state}
        value={view.state}
        options={[
          { value: '', text: t.content.allStates },
          ...FILE_STATES.map((state) => ({ value: state, text: states[state] })),
        ]}
        onChange={(state) => onView({ ...view, state: state as FileStateFilter | '' })}
      />
      <SavedViews
        page="content"
        query={queryOf(view, '').slice(1)}
        onOpen={(query) => onView(viewOf(query))}
      />
      <div class="file-shape" role="group" aria-label={t.content.shape}>
        <Button
          icon="list"
          label={t.content.asList}
          isPressed={shape === 'list'}
          onPress={() => onShape('list')}
        />
        <Button
          icon="grid"
          label={t.content.asTiles}
          isPressed={shape === 'tiles'}
          onPress={() => onShape('tiles')}
        />
      </div>
    </div>
  )
}
