// A side panel of narrow screens, as a dialog at the edge. Escape or a click outside closes it.
//
//   {isOpen && <Drawer label={t.frame.menu} close={t.frame.closeMenu} onClose={() => setIsOpen(false)}>…</Drawer>}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { ToastPlace } from './toast.tsx'

export interface DrawerProps {
  readonly label: string
  /** Label of the close button. */
  readonly close: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Drawer({ label, close, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape does the same
    <dialog
      ref={ref}
      class="drawer"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // A click on the backdrop targets the dialog itself.
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="drawer-inner">
        <div class="drawer-close">
          <Button kind="quiet" icon="close" label={close} onPress={onClose} />
        </div>
        {children}
      </div>
      <ToastPlace />
    </dialog>
  )
}
