// A dialog over the page, which waits meanwhile. Escape and its button close it; the focus goes back to where it was.
//
//   {isOpen && <Dialog title={t.acts.newKey} onClose={() => setIsOpen(false)}>…</Dialog>}
//
// Without onClose it stays until what it asks for is done.

import { type ComponentChildren, createContext } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { ToastPlace } from './toast.tsx'

/** Whether something is in a dialog, where the button that ends it is the last one. */
export const InDialog = createContext(false)

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose?: () => void
  /** What is behind it is not for whoever is before the screen now. */
  readonly isOpaque?: boolean
}

export function Dialog({ title, children, onClose, isOpaque }: DialogProps) {
  const { t } = useTexts()
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  return (
    <dialog
      ref={ref}
      class={isOpaque === true ? 'dialog dialog-opaque' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={(event) => {
        // A second Escape closes it without asking anybody.
        if (event.key === 'Escape' && onClose === undefined) event.preventDefault()
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <Button kind="quiet" icon="close" label={t.general.close} onPress={onClose} />
        )}
      </div>
      <div class="dialog-body">
        <InDialog.Provider value>{children}</InDialog.Provider>
      </div>
      <ToastPlace />
    </dialog>
  )
}
