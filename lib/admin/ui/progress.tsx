// How far something is; without a ratio it goes on and nobody knows how far.
//
//   <Progress label={file.name} ratio={sent / size} />

import { useTexts } from '../texts/use-texts.ts'

export interface ProgressProps {
  readonly label: string
  /** From 0 to 1. */
  readonly ratio?: number
}

export function Progress({ label, ratio }: ProgressProps) {
  const { formats } = useTexts()
  return (
    <div class="progress">
      <progress aria-label={label} max={1} value={ratio} />
      {ratio !== undefined && <span>{formats.percent(ratio)}</span>}
    </div>
  )
}
