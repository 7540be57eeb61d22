// The identifier of a record that is made: asked for before the plan, as bytes are named by it before they are sealed.

import type { RecordType } from '../schema/values.ts'
import type { Records } from '../storage/port.ts'

export async function newId(
  { newIds }: Pick<Records, 'newIds'>,
  type: RecordType,
): Promise<number> {
  const [id = 0] = await newIds(type, 1)
  return id
}
