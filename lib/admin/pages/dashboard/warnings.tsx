// Problems and warnings of /ready, with advice. Codes without a text here show the detail of the server.

import { useTexts } from '../../texts/use-texts.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Readiness } from './use-figures.ts'

interface Told {
  readonly title: string
  readonly text: string
}

export function Warnings({ readiness }: { readonly readiness: Readiness | undefined }) {
  const { t } = useTexts()
  const { warnings, trouble } = readiness ?? { warnings: [], trouble: undefined }
  const known: Readonly<Record<string, Told>> = t.dashboard.known
  return (
    <>
      {trouble !== undefined && (
        <Notice kind="danger" title={known[trouble.reason]?.title ?? t.dashboard.notReady}>
          {known[trouble.reason]?.text ?? trouble.detail}
        </Notice>
      )}
      {warnings.map(({ code, detail }) => (
        <Notice key={code} kind="info" title={known[code]?.title ?? t.dashboard.warning}>
          {known[code]?.text ?? detail}
        </Notice>
      ))}
    </>
  )
}
