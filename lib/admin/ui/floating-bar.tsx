// A bar with actions for selected or changed items, over the end of the page.
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
