// A preview of a text without its file: a sandboxed frame as high as the reader makes it.

import { useRef } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { FolderRecord } from '../content/records.ts'
import { usePreviewed } from './preview.tsx'

const NO_FOLDER = [] as const

interface TextPreviewProps {
  readonly text: string
  /** The folder of the text with its parents, topmost first; default: none. */
  readonly line?: readonly FolderRecord[]
  /** Converts the text to a page; undefined for HTML. */
  readonly toPage: ((text: string) => string) | undefined
}

export function TextPreview({ text, toPage, line = NO_FOLDER }: TextPreviewProps) {
  const { t } = useTexts()
  const frame = useRef<HTMLIFrameElement>(null)
  usePreviewed({ frame, line, kind: 'html', text, toPage })
  return (
    <div class="text-preview">
      <iframe
        ref={frame}
        class="preview-frame"
        src={`${SERVER}/admin/preview`}
        sandbox="allow-scripts"
        title={t.editor.preview}
      />
    </div>
  )
}
