// The widths of a preview: a phone, a tablet or a desktop, scaled down to the available space.

import { useEffect, useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'

/** In CSS pixels. A desktop takes all the space there is, if that is more. */
const WIDTHS = { phone: 390, tablet: 820, desktop: 1_280 } as const

export type PreviewWidth = keyof typeof WIDTHS

/** The width of this screen, if it is that of a phone. */
export function initialWidth(): PreviewWidth {
  return matchMedia('(max-width: 48rem)').matches ? 'phone' : 'tablet'
}

interface WidthButtonsProps {
  readonly width: PreviewWidth
  readonly onChoose: (width: PreviewWidth) => void
}

export function WidthButtons({ width, onChoose }: WidthButtonsProps) {
  const { t } = useTexts()
  return (
    <div class="preview-widths" role="group" aria-label={t.editor.width}>
      {(Object.keys(WIDTHS) as readonly PreviewWidth[]).map((each) => (
        <Button key={each} kind="quiet" isPressed={each === width} onPress={() => onChoose(each)}>
          {t.editor.widths[each]}
        </Button>
      ))}
    </div>
  )
}

/** Returns the reference for the box around the frame. `shown`: another frame has another value. */
export function useScaled(
  frame: { readonly current: HTMLIFrameElement | null },
  width: PreviewWidth,
  shown?: string,
) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const fit = (): void => {
      if (box.current === null || frame.current === null) return
      const { clientWidth, clientHeight } = box.current
      const wanted = width === 'desktop' ? Math.max(WIDTHS.desktop, clientWidth) : WIDTHS[width]
      const scale = Math.min(1, clientWidth / wanted)
      const { style } = frame.current
      style.width = `${wanted}px`
      style.height = `${clientHeight / scale}px`
      style.scale = String(scale)
      style.left = `${Math.max(0, (clientWidth - wanted) / 2)}px`
    }
    const observer = new ResizeObserver(fit)
    if (box.current !== null) observer.observe(box.current)
    fit()
    return () => observer.disconnect()
  }, [width, shown])
  return box
}
