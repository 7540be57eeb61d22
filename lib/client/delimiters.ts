// Characters that part the cells of a .csv file.

export const DELIMITERS = [',', ';', '\t'] as const
