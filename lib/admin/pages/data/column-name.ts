// Converts text to a valid column name: `Größe (cm)` → `Grosse__cm_`.

export function columnName(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
}
