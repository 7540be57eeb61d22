// Realistic datatables.

import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'

export async function addDemoData(server: TestServer): Promise<void> {
  const { module_url: url } = await make(server, 'datatable', {
    name: 'Products',
    parent_category_id: 1,
    title_field: 'name',
    table_schema: [
      'name C(200) NOTNULL',
      'sku C(40) UNIQUE',
      'price N(10.2)',
      'in_stock I UNSIGNED DEFAULT 0',
      "state ENUM('new','on sale','sold out') DEFAULT 'new'",
      'released D DEFDATE',
      'description X (Large)',
    ].join(',\n'),
    public: true,
    public_columns: ['name', 'price', 'description'],
    public_filter: { state: 'on sale' },
  })
  const names = ['Bench', 'Chair', 'Desk', 'Lamp', 'Shelf', 'Stool', 'Table']
  const json = names.map((name, at) => ({
    name,
    sku: `W-${100 + at}`,
    price: `${at * 20 + 9}.50`,
    description: at % 2 === 0 ? 'Oak, oiled.' : null,
  }))
  await server.call('POST', url, { json })
  await make(server, 'datatable', {
    name: 'Press releases',
    title_field: 'title',
    table_schema: 'title C(255) NOTNULL, body X, released D',
  })
}
