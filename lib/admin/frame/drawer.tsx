// The side bar of a narrow screen: a dialog at the edge. Escape and a press beside it close it.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/button.tsx'

export interface DrawerProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Drawer({ label, onClose, children }: DrawerProps) {
  const { t } = useTexts()
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
          <Button kind="quiet" icon="close" label={t.frame.closeMenu} onPress={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  )
}
