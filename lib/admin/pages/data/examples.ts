// Example schemas for new tables. Column names are English because programs read them.

export const EXAMPLES = {
  nothing: 'title C(255) NOTNULL',
  people:
    'name C(200) NOTNULL,\nemail C(254),\nphone C(40),\ncompany C(200),\nnewsletter L DEFAULT 0,\nnotes X',
  products:
    "name C(200) NOTNULL,\nsku C(40) UNIQUE,\nprice N(10.2),\nin_stock I DEFAULT 0,\nstate ENUM('new','on sale','sold out') DEFAULT 'new',\ndescription X",
  news: 'title C(255) NOTNULL,\nbody X,\nreleased D DEFDATE,\nauthor C(120),\nfeatured L DEFAULT 0',
} as const satisfies Readonly<Record<string, string>>

export type ExampleName = keyof typeof EXAMPLES

export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly ExampleName[]
