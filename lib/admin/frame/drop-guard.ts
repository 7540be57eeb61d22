// A file or link that is dropped where the page takes none: the browser would open it in place of the page. So the page
// takes every drop. Frames get no events of a drag while files are dragged, because a frame would open them as well.

import { useEffect } from 'preact/hooks'

const EDITABLE = 'input, textarea, [contenteditable]:not([contenteditable="false"])'

export function useDropGuard(): void {
  useEffect(guardDrops, [])
}

/** Returns what ends it. */
function guardDrops(): () => void {
  const over = new AbortController()
  const { signal } = over
  const mark = (isDragging: boolean): void => {
    document.documentElement.toggleAttribute('data-dragging', isDragging)
  }

  // At the window, so that whatever part of the page takes drops has had the event before.
  addEventListener('dragenter', (event) => mark(brings(event, 'Files')), { signal })
  addEventListener(
    'dragleave',
    // Out of the window.
    ({ relatedTarget }) => relatedTarget === null && mark(false),
    { signal },
  )
  addEventListener(
    'dragover',
    (event) => {
      if (event.defaultPrevented || isForText(event)) return
      event.preventDefault()
      // An editor of texts takes files itself.
      if (event.dataTransfer !== null && !isEditable(event)) event.dataTransfer.dropEffect = 'none'
    },
    { signal },
  )
  addEventListener(
    'drop',
    (event) => {
      mark(false)
      if (!event.defaultPrevented && !isForText(event)) event.preventDefault()
    },
    { signal },
  )
  return () => over.abort()
}

/** Text that goes into a field, as without this guard. An address without a text would be opened. */
function isForText(event: DragEvent): boolean {
  return isEditable(event) && brings(event, 'text/plain') && !brings(event, 'Files')
}

function isEditable({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest(EDITABLE) !== null
}

function brings({ dataTransfer }: DragEvent, type: string): boolean {
  return dataTransfer?.types.includes(type) === true
}
