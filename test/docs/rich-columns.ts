// Columns of types and with references that ADOdb does not have, with a value for each.

export const RICH_COLUMNS =
  'teaser MD, html HTML, contact EMAIL, link URL, tint COLOR, uid UUID, ' +
  "tags SET('a','b'), data JSON, place POINT, " +
  'also I REFERENCES SELF MANY ON DELETE SET NULL, picture FILE'

export const RICH_VALUES = {
  tags: ['b', 'a'],
  also: [],
  picture: null,
  data: { size: [3, 4] },
  place: [13.4, 52.5],
  teaser: '**Bold**',
  html: '<b>Bold</b>',
  contact: 'ada@example.com',
  link: 'https://example.com/one',
  tint: '#3366cc',
  uid: '0198C1A2-7b3c-7def-8123-456789abcdef',
}
