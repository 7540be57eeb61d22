// A person: the display name, with the sign-in name as its tooltip. The tooltip also has the name at that time if the user
// was renamed since.
//
//   <Person name={file.owner} />
//   <Person name={row.user_name} id={row.user_id} />

import { type NamedPerson, usePeople } from '../client/people.ts'

export function Person(person: NamedPerson) {
  const found = usePeople().find(person)
  const { name } = person
  const present = found?.name ?? name
  const shown = found?.display_name ?? present
  const title = present === name ? name : `${present} (${name})`
  return <bdi title={title === shown ? undefined : title}>{shown}</bdi>
}
