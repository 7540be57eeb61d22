// Keyboard navigation between cells. Rows start at 0 with the head at -1; columns start at 0 with the checkbox.

export interface CellPlace {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Number of rows per page. */
  readonly rowsInSight: number
}

type Step = (from: CellPlace, size: GridSize, isMod: boolean) => CellPlace

const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: ({ row, column }, { rows }, isMod) => ({ row: isMod ? rows - 1 : row + 1, column }),
  ArrowUp: ({ row, column }, _, isMod) => ({ row: isMod ? 0 : row - 1, column }),
  ArrowRight: ({ row, column }, { columns }, isMod) => ({
    row,
    column: isMod ? columns - 1 : column + 1,
  }),
  ArrowLeft: ({ row, column }, _, isMod) => ({ row, column: isMod ? 0 : column - 1 }),
  Home: ({ row }, _, isMod) => ({ row: isMod ? 0 : row, column: 0 }),
  End: ({ row }, { rows, columns }, isMod) => ({
    row: isMod ? rows - 1 : row,
    column: columns - 1,
  }),
  PageDown: ({ row, column }, { rowsInSight }) => ({ row: row + rowsInSight, column }),
  PageUp: ({ row, column }, { rowsInSight }) => ({
    row: row < 0 ? row : Math.max(row - rowsInSight, 0),
    column,
  }),
}

/** Undefined for keys that do not move. */
export function placeByKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  from: CellPlace,
  size: GridSize,
): CellPlace | undefined {
  const step = STEPS[event.key]
  return step && within(step(from, size, event.ctrlKey || event.metaKey), size)
}

export function within({ row, column }: CellPlace, { rows, columns }: GridSize): CellPlace {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  }
}
