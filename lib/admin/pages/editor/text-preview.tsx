// A preview of a text that is not a file: a sandboxed frame as high as the reader makes it.

import { useRef } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { usePreviewed } from './preview.tsx'

const NO_FOLDER = [] as const

interface TextPreviewProps {
  readonly text: string
  /** Converts the text to a page; undefined for HTML. */
  readonly toPage: ((text: string) => string) | undefined
}

export function TextPreview({ text, toPage }: TextPreviewProps) {
  const { t } = useTexts()
  const frame = useRef<HTMLIFrameElement>(null)
  usePreviewed({ frame, line: NO_FOLDER, kind: 'html', text, toPage })
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
