// A side panel of narrow screens, as a dialog at the edge. Escape or a click outside closes it.
//
//   {isOpen && <Drawer label={t.frame.menu} close={t.frame.closeMenu} onClose={() => setIsOpen(false)}>…</Drawer>}

import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { useModal } from './dialog.tsx'
import { ToastPlace } from './toast.tsx'

export interface DrawerProps {
  readonly label: string
  /** Label of the close button. */
  readonly close: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Drawer({ label, close, onClose, children }: DrawerProps) {
  return (
    <dialog {...useModal({ onClose, isLight: true })} class="drawer" aria-label={label}>
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
