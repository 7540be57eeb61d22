// Characters that separate the cells of a .csv file.

export const DELIMITERS = [',', ';', '\t'] as const
