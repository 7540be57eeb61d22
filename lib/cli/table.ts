// A plain table on stdout: columns as wide as their widest cell.

type Cell = string | number

export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}
