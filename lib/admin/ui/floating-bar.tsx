// What can be done to what is selected or was changed, over the end of the page for as long as there is any.
//
//   <FloatingBar text={t.data.unsent}><Button onPress={discard}>{t.data.discard}</Button></FloatingBar>

import type { ComponentChildren } from 'preact'

export interface FloatingBarProps {
  readonly text: string
  readonly children: ComponentChildren
}

export function FloatingBar({ text, children }: FloatingBarProps) {
  return (
    <div class="floating-bar" role="group" aria-label={text}>
      <span class="floating-bar-text">{text}</span>
      {children}
    </div>
  )
}
