// What stands beside the content, on a narrow screen: a dialog at the edge. Escape and a press beside it close it.
//
//   {isOpen && <Drawer label={t.frame.menu} close={t.frame.closeMenu} onClose={() => setIsOpen(false)}>…</Drawer>}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { ToastPlace } from './toast.tsx'

export interface DrawerProps {
  readonly label: string
  /** On the button that closes it. */
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
        // Of what lies behind it, the target is the dialog itself.
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
