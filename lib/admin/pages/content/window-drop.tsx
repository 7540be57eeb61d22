// Accepts files and folders that are dropped anywhere in the window, and names the folder that takes them. Parts of the
// page that take a drop themselves, such as the folders of the tree, name their own folder in data-drop-name.
//
//   <WindowDrop name={folder.name} onFiles={(found) => …} onFailure={toast.problem} />

import { useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { bringsFiles, droppedEntries, filesIn, type FoundFile } from './dropped-files.ts'

export interface WindowDropProps {
  readonly name: string
  readonly onFiles: (found: readonly FoundFile[]) => void
  readonly onFailure: (error: unknown) => void
}

export function WindowDrop(props: WindowDropProps) {
  const { t } = useTexts()
  const [taker, setTaker] = useState<string>()
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    const hide = (): void => setTaker(undefined)
    const over = (event: DragEvent): void => {
      if (!isForPage(event)) return
      // Otherwise the browser would open the file.
      event.preventDefault()
      setTaker(takerAt(event.target) ?? latest.current.name)
    }
    // The listeners of the page's own targets run first, and keep their drops to themselves.
    document.addEventListener('dragover', over, { signal })
    document.addEventListener('dragleave', (event) => event.relatedTarget ?? hide(), { signal })
    document.addEventListener('drop', hide, { signal, capture: true })
    document.addEventListener(
      'drop',
      (event) => {
        if (event.dataTransfer === null || !isForPage(event)) return
        event.preventDefault()
        filesIn(droppedEntries(event.dataTransfer)).then(
          (found) => latest.current.onFiles(found),
          latest.current.onFailure,
        )
      },
      { signal },
    )
    return () => gone.abort()
  }, [])

  if (taker === undefined) return null
  return (
    <div class="window-drop">
      <p class="window-drop-text">
        <Icon name="upload" />
        <span>{fill(t.upload.dropHere, { name: taker })}</span>
      </p>
    </div>
  )
}

/** Files for the page: a dialog that is open has the page behind it. */
function isForPage({ dataTransfer }: DragEvent): boolean {
  return bringsFiles(dataTransfer) && document.querySelector('dialog[open]') === null
}

function takerAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest<HTMLElement>('[data-drop-name]')?.dataset['dropName']
}
