// Asks before a change of a menu that visitors would notice, with the published pages that show the menu.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type Question, useConfirm } from '../../ui/confirm.tsx'
import { QuestionList } from '../content/publish-question.tsx'

/** Pages that are found. */
const MOST_FOUND = 1_000

export interface MenuQuestion extends Omit<Question, 'text'> {
  readonly id: number
  /** Undefined: without such pages, nothing is asked. */
  readonly text?: string
}

/** If the server does not list the pages, only a question with a text is asked. */
export function useMenuQuestion() {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  return async ({ id, text, ...question }: MenuQuestion): Promise<boolean> => {
    const params = { path: { id }, query: { shown: true, length: MOST_FOUND } }
    const found = await dataOf(api.GET('/file_group/{id}/used_on', { params })).catch(
      () => undefined,
    )
    const paths = (found?.pages ?? []).map(({ path }) => path).toSorted()
    if (paths.length === 0 && text === undefined) return true
    const { more, many } = t.content.changedPages
    return confirm({
      ...question,
      text: (
        <>
          {text !== undefined && <p>{text}</p>}
          {paths.length > 0 && (
            <>
              <p>{formats.count(t.menus.shownOn, paths.length)}</p>
              <QuestionList lines={paths} more={more} />
              {found?.is_complete !== true && <p>{many}</p>}
            </>
          )}
        </>
      ),
    })
  }
}
