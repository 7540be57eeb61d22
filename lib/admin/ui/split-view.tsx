// Two panes with a movable divider: by mouse, or with arrow keys when it has the focus. Its position is stored. On
// narrow screens, the panes are stacked.
//
//   <SplitView name="editor" first={<Editor />} second={<Preview />} />

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readStored, writeStored } from '../client/stored.ts'
import { useTexts } from '../texts/use-texts.ts'

export interface SplitViewProps {
  /** Storage key of the position. */
  readonly name: string
  readonly first: ComponentChildren
  readonly second: ComponentChildren
  /** Percent of the width. */
  readonly initial?: number
  /** A hidden part stays mounted. */
  readonly shown?: 'both' | 'first' | 'second'
}

const LEAST = 15
const MOST = 85
const STEP = 2

export function SplitView({ name, first, second, initial = 50, shown = 'both' }: SplitViewProps) {
  const { t } = useTexts()
  const key = `cms.split.${name}`
  const view = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState(() => stored(key) ?? initial)
  // The content security policy blocks style attributes, but not styles set by a script.
  useLayoutEffect(() => view.current?.style.setProperty('--place', `${place}%`), [place])

  function moveTo(percent: number): void {
    const next = Math.min(Math.max(percent, LEAST), MOST)
    setPlace(next)
    writeStored(key, String(Math.round(next)))
  }

  function follow({ clientX }: PointerEvent): void {
    const box = view.current?.getBoundingClientRect()
    if (box !== undefined) moveTo(((clientX - box.left) / box.width) * 100)
  }

  return (
    <div ref={view} class={shown === 'both' ? 'split-view' : 'split-view split-view-one'}>
      <div class="split-view-part" hidden={shown === 'second'}>
        {first}
      </div>
      <div
        class="split-view-line"
        hidden={shown !== 'both'}
        role="separator"
        aria-orientation="vertical"
        aria-label={t.general.resize}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        aria-valuenow={Math.round(place)}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event)
        }}
        onKeyDown={({ key: pressed }) => {
          if (pressed === 'ArrowLeft') moveTo(place - STEP)
          if (pressed === 'ArrowRight') moveTo(place + STEP)
          if (pressed === 'Home') moveTo(LEAST)
          if (pressed === 'End') moveTo(MOST)
        }}
      />
      <div class="split-view-part" hidden={shown === 'first'}>
        {second}
      </div>
    </div>
  )
}

function stored(key: string): number | undefined {
  const value = Number(readStored(key) ?? Number.NaN)
  return value >= LEAST && value <= MOST ? value : undefined
}
