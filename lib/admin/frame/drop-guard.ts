// A file or link that is dropped where the page takes none: the browser would open it in place of the page. So the page
// takes every drop. Frames get no events of a drag while files are dragged, because a frame would open them as well.

const EDITABLE = 'input, textarea, [contenteditable]:not([contenteditable="false"])'

/** For as long as the page is open. */
export function guardDrops(): void {
  const mark = (isDragging: boolean): void => {
    document.documentElement.toggleAttribute('data-dragging', isDragging)
  }

  // At the window, so that whatever part of the page takes drops has had the event before.
  addEventListener('dragenter', (event) => mark(brings(event, 'Files')))
  addEventListener('dragleave', ({ relatedTarget }) => {
    const isOutside = relatedTarget === null
    if (isOutside) mark(false)
  })
  addEventListener('dragover', (event) => {
    if (event.defaultPrevented || isForText(event)) return
    event.preventDefault()
    // An editor of texts takes files itself.
    if (event.dataTransfer !== null && !isEditable(event)) event.dataTransfer.dropEffect = 'none'
  })
  addEventListener('drop', (event) => {
    mark(false)
    if (!event.defaultPrevented && !isForText(event)) event.preventDefault()
  })
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
