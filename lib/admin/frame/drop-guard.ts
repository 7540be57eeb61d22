// Prevents the browser from opening a file or link that is dropped outside of a drop target: the page handles every
// drop. Frames ignore pointer events while files are dragged, because a frame would open the files itself.

const EDITABLE = 'input, textarea, [contenteditable]:not([contenteditable="false"])'

/** Active as long as the page is open. Calls `onRefused` when files are dropped where nothing takes them. */
export function guardDrops(onRefused: () => void): void {
  const mark = (isDragging: boolean): void => {
    document.documentElement.toggleAttribute('data-dragging', isDragging)
  }

  // Listens on the window, so that drop targets in the page receive the event first.
  addEventListener('dragenter', (event) => mark(brings(event, 'Files')))
  addEventListener('dragleave', ({ relatedTarget }) => {
    const isOutside = relatedTarget === null
    if (isOutside) mark(false)
  })
  addEventListener('dragover', (event) => {
    if (event.defaultPrevented || isForText(event)) return
    event.preventDefault()
    // A text editor accepts files itself. Other files are refused at the drop, with a message.
    if (event.dataTransfer !== null && !isEditable(event) && !brings(event, 'Files'))
      event.dataTransfer.dropEffect = 'none'
  })
  addEventListener('drop', (event) => {
    mark(false)
    if (event.defaultPrevented || isForText(event)) return
    event.preventDefault()
    if (brings(event, 'Files')) onRefused()
  })
}

/** A text dropped into a field keeps the default behavior. A link without text would be opened. */
function isForText(event: DragEvent): boolean {
  return isEditable(event) && brings(event, 'text/plain') && !brings(event, 'Files')
}

function isEditable({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest(EDITABLE) !== null
}

function brings({ dataTransfer }: DragEvent, type: string): boolean {
  return dataTransfer?.types.includes(type) === true
}
