// A modal dialog. Escape and the close button close it, and the focus returns to where it was.
//
//   {isOpen && <Dialog title={t.acts.newKey} onClose={() => setIsOpen(false)}>…</Dialog>}
//
// Without onClose, the dialog stays until its task is done.

import { type ComponentChildren, createContext } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { ToastPlace } from './toast.tsx'

/** The dialog around a component: a form in a dialog has a Cancel button that closes the dialog. */
export const InDialog = createContext<{ readonly onClose: (() => void) | undefined } | undefined>(
  undefined,
)

interface ModalOptions {
  readonly onClose: (() => void) | undefined
  readonly isLight?: boolean
}

/**
 * The properties of a modal dialog element. Escape asks to close it; a click outside does so if isLight, which the
 * browser reports as a click on the dialog itself.
 */
export function useModal({ onClose, isLight }: ModalOptions) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  return {
    ref,
    onCancel(event: Event): void {
      event.preventDefault()
      onClose?.()
    },
    onClick({ target }: MouseEvent): void {
      if (isLight === true && target === ref.current) onClose?.()
    },
  }
}

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose?: () => void
  /** Hides the page behind, which the person at the screen may not be allowed to see. */
  readonly isOpaque?: boolean
}

/** The browser would focus the close button, where Enter throws away what the user opened. */
const FIRST = ['input, select, textarea', '.dialog-actions button, .form-actions button']

export function Dialog({ title, children, onClose, isOpaque }: DialogProps) {
  const { t } = useTexts()
  const id = useId()
  const modal = useModal({ onClose })
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (body.current?.contains(document.activeElement) === true) return
    for (const each of FIRST) {
      const found = [...(body.current?.querySelectorAll<HTMLElement>(each) ?? [])]
      const first = found.find(
        (element) => element.checkVisibility() && !element.matches(':disabled'),
      )
      if (first !== undefined) return first.focus()
    }
  }, [])

  return (
    <dialog
      {...modal}
      class={isOpaque === true ? 'dialog dialog-opaque' : 'dialog'}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // A second Escape would close the dialog without a cancel event.
        if (event.key === 'Escape' && onClose === undefined) event.preventDefault()
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <Button kind="quiet" icon="close" label={t.general.close} onPress={onClose} />
        )}
      </div>
      <div class="dialog-body" ref={body}>
        <InDialog.Provider value={{ onClose }}>{children}</InDialog.Provider>
      </div>
      <ToastPlace />
    </dialog>
  )
}
