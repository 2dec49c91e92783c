/** The parts of a column that holds several names, with commas between them. */
export function columnList(column: string): readonly string[] {
  return column === '' ? [] : column.split(',');
}
