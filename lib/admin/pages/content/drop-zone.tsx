// Accepts files and folders that are dropped anywhere on its content, and highlights itself during the drag.
//
//   <DropZone text={t.content.dropHere} onFiles={(found) => …}>…</DropZone>

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { bringsFiles, droppedEntries, filesIn, type FoundFile } from './dropped-files.ts'

export interface DropZoneProps {
  readonly text: string
  readonly isOff: boolean
  readonly onFiles: (found: readonly FoundFile[]) => void
  readonly onFailure: (error: unknown) => void
  readonly children: ComponentChildren
}

export function DropZone({ text, isOff, onFiles, onFailure, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  // Nested elements fire dragenter and dragleave too.
  const depth = useRef(0)

  function move(step: number): void {
    depth.current = Math.max(0, depth.current + step)
    setIsOver(depth.current > 0)
  }

  return (
    <div
      class="drop-zone"
      onDragEnter={({ dataTransfer }) => {
        if (!isOff && bringsFiles(dataTransfer)) move(1)
      }}
      onDragLeave={({ dataTransfer }) => {
        if (!isOff && bringsFiles(dataTransfer)) move(-1)
      }}
      onDragOver={(event) => {
        // Otherwise the browser would open the file.
        if (bringsFiles(event.dataTransfer)) event.preventDefault()
      }}
      onDrop={(event) => {
        if (event.dataTransfer === null || !bringsFiles(event.dataTransfer)) return
        event.preventDefault()
        depth.current = 0
        setIsOver(false)
        if (!isOff) filesIn(droppedEntries(event.dataTransfer)).then(onFiles, onFailure)
      }}
    >
      {children}
      {isOver && (
        <p class="drop-here">
          <Icon name="upload" />
          <span>{text}</span>
        </p>
      )}
    </div>
  )
}
