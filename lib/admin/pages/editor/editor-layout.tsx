// The layout of the editor page: the text, the preview in place of the text, or both side by side. The browser remembers the
// choice of each person. A file opens with the text, so that a person can write at once.

import { useEffect, useState } from 'preact/hooks'
import { readStored, writeStored } from '../../client/stored.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'

const LAYOUTS = ['text', 'preview', 'beside'] as const

export type EditorLayout = (typeof LAYOUTS)[number]

/** Without a stored choice, a wide window shows text and preview side by side. */
const WIDE = '(min-width: 80rem)'
const NARROW = '(max-width: 48rem)'

export function useEditorLayout(userId: number, hasPreview: boolean) {
  const name = `cms.editor-layout.${userId}`
  const isNarrow = useMedia(NARROW)
  const [chosen, setChosen] = useState(() => initialLayout(readStored(name)))
  const layout: EditorLayout = !hasPreview || (isNarrow && chosen === 'beside') ? 'text' : chosen
  return {
    layout,
    isNarrow,
    setLayout(next: EditorLayout): void {
      setChosen(next)
      // On a phone there is no choice to remember.
      if (!isNarrow) writeStored(name, next)
    },
  }
}

function initialLayout(stored: string | undefined): EditorLayout {
  if (stored === undefined) return matchMedia(WIDE).matches ? 'beside' : 'text'
  return stored === 'beside' ? 'beside' : 'text'
}

interface LayoutButtonsProps {
  readonly layout: EditorLayout
  readonly onChoose: (layout: EditorLayout) => void
}

export function LayoutButtons({ layout, onChoose }: LayoutButtonsProps) {
  const { t } = useTexts()
  const { label, ...names } = t.editor.layouts
  return (
    <div class="editor-layouts" role="group" aria-label={label}>
      {LAYOUTS.map((each) => (
        <Button key={each} kind="quiet" isPressed={each === layout} onPress={() => onChoose(each)}>
          {names[each]}
        </Button>
      ))}
    </div>
  )
}

/**
 * Returns whether a media query matches, such as (max-width: 48rem), and renders again when the answer changes.
 */
function useMedia(query: string): boolean {
  const [isMatching, setIsMatching] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const read = (): void => setIsMatching(list.matches)
    read()
    list.addEventListener('change', read)
    return () => list.removeEventListener('change', read)
  }, [query])
  return isMatching
}
